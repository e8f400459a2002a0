/** What pages of other reports are made of. */
export { renderDocument } from './document.js';
export { Facts, Table } from './parts.js';

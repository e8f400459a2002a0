export { measureDelivery } from './measure-delivery.js';

export { freezeChange, plainGit } from './freeze.js';
export { fetchSource, linksNote, type Source, whereIsSource } from './source.js';
export { checkWorkspaceParent, copyWorkspace, removeWorkspace } from './workspace.js';

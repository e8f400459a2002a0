import type { EngineProfile } from '../model/engine.js';
import { NO_ENGINE_IDENTITY } from '../model/no-engine.js';

/** For reading a log's frame (session ids, results, hooks), in which no tool is special. */
export const NO_ENGINE: EngineProfile = {
  identity: NO_ENGINE_IDENTITY,
  mcpServer: '',
  isEngineTool: () => false,
  isExploreTool: () => false,
  label: 'none',
  parseResponse: (text) => ({ chars: text.length, sections: [], noAnswer: false, mentions: [] }),
};

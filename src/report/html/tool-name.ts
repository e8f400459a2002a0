/** A tool as it is called on the page: an MCP tool by its own name, without its server's. */
export function toolName(name: string): string {
  return name.replace(/^mcp__.+?__/, '');
}

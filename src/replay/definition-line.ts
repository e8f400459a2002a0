/** Words that open a definition in the languages that engines index. */
const KEYWORDS =
  'function|class|struct|interface|trait|enum|union|type|def|func|fun|fn|const|let|var|val|static|mod|module|namespace|' +
  'package|object|protocol|extension|actor|impl|macro_rules!|record|typealias|typedef|export|property';

/**
 * Returns the number (from 1) of the line that defines a symbol in a file's text. Of a dotted name (`Router.handle`, `Tcp::bind`)
 * the last part is looked for. Undefined if no line looks like a definition: the caller then asks for a line number.
 */
export function findDefinitionLine(text: string, symbol: string): number | undefined {
  const name = symbol.split(/\.|::|#|->/).at(-1) ?? symbol;
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = '(?![\\p{L}\\p{N}_$])';
  const start = '(?<![\\p{L}\\p{N}_$])';
  const patterns = [
    // function name, class name, func (receiver) name, const name =
    new RegExp(`${start}(?:${KEYWORDS})\\b(?:\\s*\\([^)]*\\))?[\\s*]+(?:[\\p{L}\\p{N}_$<>]+[.])?${word}${end}`, 'u'),
    // res.send = function, name: function, name = (…) =>
    new RegExp(
      `${start}${word}\\s*[:=]\\s*(?:async\\b\\s*)?(?:function\\b|class\\b|\\(|[\\p{L}_$][\\p{L}\\p{N}_$]*\\s*=>)`,
      'u',
    ),
    // A method: modifiers, perhaps a result type, name(…) {
    new RegExp(
      `^\\s*(?:[\\p{L}_@][\\p{L}\\p{N}_<>[\\],.?&*]*\\s+)*${word}\\s*(?:<[^>]*>)?\\([^;]*\\)?[^;]*[{:]?\\s*$`,
      'u',
    ),
    // A field or constant at the start of a line.
    new RegExp(`^\\s*(?:[\\p{L}_@][\\p{L}\\p{N}_<>[\\],.?&*]*\\s+)*(?:[\\p{L}\\p{N}_$]+\\.)*${word}\\s*[:=](?!=)`, 'u'),
  ];
  const lines = text.split('\n');
  for (const pattern of patterns) {
    const index = lines.findIndex(
      (line) => pattern.test(line) && !/^\s*(?:\/\/|\*|#(?!\[)|return\b|if\b|await\b)/.test(line),
    );
    if (index !== -1) return index + 1;
  }
  return undefined;
}

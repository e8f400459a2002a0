/** Says that what follows it in the clause is not so. */
const NEGATOR =
  /(?:\b(?:not|never|no|nor|neither|without|cannot|instead of|rather than|no longer|fails? to|avoids?|skips?|nothing to do with|unrelated to)\b|n['’]t\b)/g;
/** Says that the whole sentence is not so. */
const DENIAL =
  /\b(?:(?:it is|it's|it’s|is|that is|would be) (?:not (?:true|the case|correct|so)|false|untrue|wrong|incorrect|a (?:myth|misconception|mistake))|contrary to|(?:false|untrue|wrong|incorrect) that)\b/;
/** After a name: "X is not called", "X never runs". */
const DENIED_AFTER =
  /^[\w.$()'’]{0,20}\s(?:(?:is|are|was|were|does|do|did|has|have|can|will|would|should|must|could)(?: not\b|n['’]t\b)|never\b|no longer\b|cannot\b)/;
/** A negation reaches about this far. */
const MAX_WORDS_BETWEEN = 6;

/** Whether a text denies something anywhere: a fact that is itself a denial cannot be told from its opposite by such words. */
export function hasNegation(text: string): boolean {
  NEGATOR.lastIndex = 0;
  return NEGATOR.test(text.toLowerCase());
}

/** Whether the sentence that holds this place begins by denying all of it: "It is not true that …". The text is normalized. */
export function isDenied(text: string, at: number): boolean {
  return DENIAL.test(text.slice(sentenceStart(text, at, /[.!?](?:["')*]*)\s/g), at));
}

/** Whether the text from `start` to `end` stands under a negation of its own clause. The text is normalized. */
export function isNegated(text: string, start: number, end: number): boolean {
  const sentence = text.slice(sentenceStart(text, start, /[.!?](?:["')*]*)\s|;/g), start);
  const clause = sentence.slice(lastClause(sentence));
  for (const match of clause.matchAll(NEGATOR)) {
    const between = clause.slice(match.index + match[0].length).trim();
    if (between === '' || between.split(' ').length <= MAX_WORDS_BETWEEN) return true;
  }
  return DENIED_AFTER.test(text.slice(end, end + 60));
}

/** Where the sentence begins that holds this place. A full stop within a name (`gin.go`) ends none. */
function sentenceStart(text: string, at: number, end: RegExp): number {
  const match = [...text.slice(0, at).matchAll(end)].at(-1);
  return match ? match.index + match[0].length : 0;
}

/** Where the last clause begins: after a colon, a dash, a comma, or a word that turns the thought round. */
function lastClause(sentence: string): number {
  const match = [
    ...sentence.matchAll(/[:,()]\s|\s[—–-]\s|\b(?:but|and|so|because|then|which|while|until|unless)\b/g),
  ].at(-1);
  return match ? match.index + match[0].length : 0;
}

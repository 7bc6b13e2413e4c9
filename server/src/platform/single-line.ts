/** A character of a script that joins letters: Arabic, Syriac, Mongolian and the scripts of India and its neighbors. */
const JOINING = `[${'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`

/**
 * The joiners U+200C and U+200D where they belong to a word or an emoji (RFC 5892 A.1 and A.2 have the same purpose): Persian names have
 * them between letters. Elsewhere they are invisible.
 */
const JOINER = [
  `(?<=[\\p{L}\\p{M}])(?<=${JOINING})[\\u200c\\u200d](?=[\\p{L}\\p{M}])(?=${JOINING})`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
].join('|')

const VISIBLE = `(?:[^\\p{C}\\p{Zl}\\p{Zp}]|${JOINER})`

/**
 * JSON Schema pattern of one line of visible text, for names and single attributes: no line breaks and no control, bidirectional
 * or other invisible characters, which could forge lines in mails and logs or reverse the text of a page.
 */
export const SINGLE_LINE = `^(?=.*\\S)${VISIBLE}+$`

/** Like `SINGLE_LINE`, or blank: a form sends an empty string for an omitted name. */
export const SINGLE_LINE_OR_BLANK = `^${VISIBLE}*$`

const PATTERN = new RegExp(SINGLE_LINE, 'u')

/** Returns whether a string that no schema has validated is one line of visible text. */
export const isSingleLine = (value: string): boolean => PATTERN.test(value)

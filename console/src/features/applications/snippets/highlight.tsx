import type { ReactNode } from 'react'
import styles from './highlight.module.css'

const KEYWORDS =
  'async await class const def defer else export for from func function if import in let new package return type using var'

const STRINGS = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`

/** Returns the code with colors for comments, strings and keywords, which are the same in all languages of the snippets. */
export function highlight(code: string, comment: '//' | '#'): ReactNode {
  const pattern = new RegExp(`((?<=^|\\s)${comment}.*)|(${STRINGS})|\\b(${KEYWORDS.replaceAll(' ', '|')})\\b`, 'gm')
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: text, 1: isComment, 2: isString, index } of code.matchAll(pattern)) {
    const style = isComment ? styles.comment : isString ? styles.string : styles.keyword
    parts.push(
      code.slice(end, index),
      <span key={index} className={style}>
        {text}
      </span>,
    )
    end = index + text.length
  }
  return [...parts, code.slice(end)]
}

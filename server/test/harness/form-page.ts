import { expect } from 'vitest'
import type { ApiResponse } from './api.js'

const UNESCAPED: Record<string, string> = {
  '34': '"',
  '38': '&',
  '39': "'",
  '60': '<',
  '62': '>',
  '13': '\r',
  '10': '\n',
  '9': '\t',
}
const unescaped = (text: string): string => text.replace(/&#(\d+);/g, (_all, code: string) => UNESCAPED[code] ?? '?')

/** Returns the target and the fields of the self-submitting form in a response (SAML HTTP-POST binding, OAuth form_post). */
export function formOf({ status, text, headers }: ApiResponse): { action: string; fields: Record<string, string> } {
  expect(status, text).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const action = unescaped(/ action="([^"]*)"/.exec(text)?.[1] ?? '')
  const inputs = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return {
    action,
    fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)])),
  }
}

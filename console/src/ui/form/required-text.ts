import { check, pipe, string } from 'valibot'

/** A field that must not be empty. @param message the error of an empty field */
export const requiredText = (message: string) =>
  pipe(
    string(),
    check((text) => text.trim() !== '', message),
  )

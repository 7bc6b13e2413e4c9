import { maxLength } from 'valibot'
import m from '../../messages/en/form.json'

/** Limits the length of a value, as the service does. */
export const atMost = (count: number) => maxLength<string, number, string>(count, m.tooLong({ count }))

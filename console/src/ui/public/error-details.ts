import common from '../../messages/en/common.json'
import m from '../../messages/en/error-page.json'
import type { ErrorSearch } from '../../navigation/error-search'
import type { Detail } from './details'

/** Returns the details of an error that help the support to find its cause. */
export const errorDetails = ({ code, requestId }: ErrorSearch): Detail[] => [
  ...(code ? [{ name: m.code(), text: code, isCode: true }] : []),
  ...(requestId ? [{ name: common.requestIdLabel(), text: requestId, isCode: true, isCopied: true }] : []),
]

import { check, pipe, rawCheck, string } from 'valibot'
import m from '../../../messages/en/application-settings.json'
import { faultOfCalledAddress, faultOfRedirect } from './uri-rules'

/** Allows http URLs of other hosts, as long as the service itself is reached by http: on a laptop or in a test network. */
const plainHttp = () => location.protocol === 'http:'

/** Returns the lines of a field, without empty and repeated ones. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

/** A field with one value per line. @param faultOf returns the fault of a line */
export const lines = (faultOf: (line: string) => string | undefined) =>
  pipe(
    string(),
    rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      for (const line of linesOf(dataset.value)) {
        const fault = faultOf(line)
        if (fault) addIssue({ message: `${line}: ${fault}` })
      }
    }),
  )

/** Redirect URLs, one per line. @param ownSchemes allows custom schemes, for public clients */
export const redirectLines = (ownSchemes: boolean) =>
  lines((line) => {
    const fault = faultOfRedirect(line, { ownSchemes, plainHttp: plainHttp() })
    return fault && m.uriFault({ fault })
  })

const optional = (faultOf: (url: string) => string | undefined) =>
  pipe(
    string(),
    rawCheck(({ dataset, addIssue }) => {
      const url = dataset.typed ? dataset.value.trim() : ''
      const fault = url && faultOf(url)
      if (fault) addIssue({ message: m.uriFault({ fault }) })
    }),
  )

/** A URL that browsers open, or an empty string. */
export const optionalUrl = optional((url) => faultOfRedirect(url, { ownSchemes: false, plainHttp: plainHttp() }))

/** A URL that the service calls, or an empty string. */
export const optionalCalledUrl = optional((url) => faultOfCalledAddress(url, { plainHttp: plainHttp() }))

export const optionalImageUrl = pipe(
  string(),
  check((url) => !url.trim() || /^https:\/\/[^/]/i.test(url.trim()), m.logoWrong()),
)

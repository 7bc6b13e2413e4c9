import { useWrite } from '../../../api/use-write'
import { configQuery } from './calls'
import { useCurrentConfig } from './current-config'

/** A write on the token settings of the application. The caller shows errors. @param done returns the message of the toast */
export function useConfigWrite<Values, Result>(
  act: (values: Values) => Promise<Result>,
  done: (values: Values, result: Result) => string,
) {
  const { at } = useCurrentConfig()
  return useWrite({
    act,
    refresh: [configQuery(at).queryKey],
    done: (result: Result, values: Values) => done(values, result),
    showsError: true,
  })
}

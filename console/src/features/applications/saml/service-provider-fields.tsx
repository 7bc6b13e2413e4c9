import { Field } from '../../../ui/form/field'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { samlWords as words } from '../../../words'

type Name = 'samlSpEntityId' | 'samlSpAcsUrl'

/** While the service itself is reached by http (a laptop), so may applications be. */
export const isAddress = (text: string) =>
  (location.protocol === 'http:' ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(text.trim())

export function wrongServiceProvider({ samlSpEntityId, samlSpAcsUrl }: Values<Name>): Errors<Name> {
  return {
    ...(!samlSpEntityId.trim() && { samlSpEntityId: words.missing }),
    ...(!isAddress(samlSpAcsUrl) && { samlSpAcsUrl: words.urlWrong }),
  }
}

interface Props {
  errors: Partial<Record<string, string>>
  now?: Partial<Record<Name, string | undefined>>
}

/** The two values without which nobody is signed in to an application by SAML. */
export function ServiceProviderFields({ errors, now = {} }: Props) {
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <Field
        {...plain}
        name="samlSpEntityId"
        label={words.spEntityId}
        hint={words.spEntityIdHint}
        defaultValue={now.samlSpEntityId}
        error={errors.samlSpEntityId}
        required
      />
      <Field
        {...plain}
        name="samlSpAcsUrl"
        label={words.acsUrl}
        hint={words.acsUrlHint}
        inputMode="url"
        placeholder="https://"
        defaultValue={now.samlSpAcsUrl}
        error={errors.samlSpAcsUrl}
        required
      />
    </>
  )
}

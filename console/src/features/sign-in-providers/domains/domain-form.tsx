import { announce } from '../../../ui/announcer'
import { DialogForm } from '../../../ui/form/dialog-form'
import { Field } from '../../../ui/form/field'
import { useForm } from '../../../ui/form/use-form'
import { ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { looksLikeDomain } from '../settings/provider-form'
import { addDomain } from './queries'

export function DomainForm({ close }: { close: () => void }) {
  const { team } = useCurrentTeam()
  const { form, errors, problem, busy } = useForm({
    names: ['domain'],
    check: ({ domain }) => (looksLikeDomain(domain.trim()) ? {} : { domain: words.domainWrong }),
    send: async ({ domain }) => {
      await addDomain(team.id, domain.trim())
      announce(words.domainAdded(domain.trim()))
    },
    saved: close,
    focusOnRefusal: 'domain',
  })
  return (
    <DialogForm label={words.addDomain} form={form} busy={busy} problem={problem} verb={words.addDomain} close={close}>
      <Field
        name="domain"
        label={words.domainName}
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        data-autofocus
        error={errors.domain}
      />
    </DialogForm>
  )
}

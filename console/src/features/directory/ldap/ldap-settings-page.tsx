import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { LdapTest } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { readValues } from '../../../ui/form/form-fields'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SaveButton } from '../../../ui/form/save-button'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { useUnsaved } from '../../../ui/unsaved'
import { formWords, ldapWords as words } from '../../../words'
import { WriteGate } from '../../applications/write-gate'
import { useCurrentTeam } from '../../organizations/current-team'
import { ToLdap } from './back-link'
import { ConnectionFields } from './connection-fields'
import { useCurrentDirectory } from './directory-context'
import { TryPanel } from './form-test-panel'
import { directoryChanges, filledWith, isPlain, ldapNames, wrongDirectory } from './ldap-form'
import { saveDirectory, testDirectory } from './queries'
import { ReadingFields } from './reading-fields'
import { ScheduleFields } from './schedule-fields'
import { verdictOf } from './test-report'

/** Everything that can be set about the directory; the first time it is made here. */
export function LdapSettingsPage() {
  return (
    <>
      <div>
        <ToLdap />
      </div>
      <WriteGate permission="directory:write" text={words.readOnly}>
        <DirectoryForm />
      </WriteGate>
    </>
  )
}

function DirectoryForm() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const current = useCurrentDirectory()
  // As the form was filled: what is read meanwhile is not what its reader has changed.
  const [saved, setSaved] = useState(current)
  const [filled] = useState(() => filledWith(current))
  const [preset, choosePreset] = useState(filled.preset)
  const [isNew] = useState(current === null)
  const [saves, setSaves] = useState(0)
  const [test, setTest] = useState<LdapTest | null>(null)
  const [isOutdated, setOutdated] = useState(false)
  const [plain, setPlain] = useState(() =>
    isPlain({ ldapUrl: current?.ldapUrl ?? '', startTls: current?.startTls ? 'on' : '' }),
  )
  const { form, errors, problem, busy, dirty, trying, tryOut } = useForm({
    names: ldapNames,
    check: (values) => wrongDirectory(saved, values),
    send: async (values) => {
      setSaved(await saveDirectory(team.id, directoryChanges(saved, values)))
      setSaves((count) => count + 1)
    },
    saved: () => {
      announce(formWords.saved)
      if (isNew) navigate({ to: '/t/$slug/directory/ldap', params: { slug: team.slug } })
    },
    focusOnRefusal: 'ldapUrl',
  })
  useUnsaved(dirty)

  const look = (element: HTMLFormElement) =>
    tryOut(element, async (values) => {
      setTest(null)
      const found = await testDirectory(team.id, directoryChanges(saved, values))
      setTest(found)
      setOutdated(false)
      announce(verdictOf(found))
    })

  function onChange(event: FormEvent<HTMLFormElement>) {
    form.onChange(event)
    setPlain(isPlain(readValues(event.currentTarget, ['ldapUrl', 'startTls'])))
    setOutdated(true)
  }

  return (
    <form {...form} onChange={onChange} className={stack.parts} aria-label={isNew ? words.newTitle : words.settings}>
      {isNew && (
        <Notice kind="info">
          <p>{words.newAbout}</p>
        </Notice>
      )}
      {/* A password that was saved is not kept in its field. */}
      <ConnectionFields {...{ saved, preset, choosePreset, errors, plain, saves }} />
      <ReadingFields filled={filled} preset={preset} errors={errors} />
      <TryPanel test={test} isOutdated={isOutdated} busy={trying} look={look} />
      <ScheduleFields saved={saved} filled={filled} errors={errors} />
      <ProblemMessage problem={problem} />
      <Panel title={words.save} hideTitle>
        <div className={stack.fields}>
          <p className={`${stack.dimmed} ${stack.small}`}>{words.actsForYou}</p>
          {isNew ? (
            <div>
              <SubmitButton busy={busy} fullWidth={false}>
                {words.saveNew}
              </SubmitButton>
            </div>
          ) : (
            <SaveButton busy={busy} dirty={dirty} saved={saves > 0} />
          )}
        </div>
      </Panel>
    </form>
  )
}

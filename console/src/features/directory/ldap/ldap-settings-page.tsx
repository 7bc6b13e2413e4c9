import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { LdapTest } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/ldap.json'
import { announce } from '../../../ui/document/announcer'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SaveBar } from '../../../ui/form/save-bar'
import { useUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { WriteGate } from '../../applications/write-gate'
import { useCurrentTeam } from '../../organizations/current-team'
import { ConnectionFields } from './connection-fields'
import { useCurrentDirectory } from './directory-context'
import { directoryChanges, type LdapValues, ldapSchema, ldapValues } from './ldap-form'
import { MappingFields } from './mapping-fields'
import { saveDirectory, testDirectory } from './queries'
import { SyncFields } from './sync-fields'
import { TestPanel } from './test-panel'
import { verdictOf } from './test-report'

/** The settings of the directory, and the form that connects a new one. */
export function LdapSettingsPage() {
  return (
    <WriteGate permission="directory:write" text={m.readOnly()}>
      <DirectoryForm />
    </WriteGate>
  )
}

function DirectoryForm() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const current = useCurrentDirectory()
  // The state with which the form was filled: changes by others meanwhile are not changes of this form.
  const [saved, setSaved] = useState(current)
  const [isNew] = useState(current === null)
  const [test, setTest] = useState<{ result: LdapTest; values: string }>()
  const save = useWrite({
    act: (values: LdapValues) => saveDirectory(team.id, directoryChanges(saved, values)),
    refresh: [],
    done: () => common.saved(),
    showsError: true,
  })
  const { form, problem, busy, changes, discard, onSubmit, trying, tryOut } = useSchemaForm<LdapValues>({
    schema: ldapSchema(saved),
    initial: ldapValues(saved),
    send: async (values) => setSaved(await save.mutateAsync(values)),
    resetFields: ['ldapBindPassword'],
    done: () => isNew && navigate({ to: '/t/$slug/directory/ldap', params: { slug: team.slug } }),
    mode: 'controlled',
  })
  useUnsaved(isNew && changes > 0)

  const runTest = () =>
    tryOut(async (values) => {
      setTest(undefined)
      const result = await testDirectory(team.id, directoryChanges(saved, values))
      setTest({ result, values: JSON.stringify(values) })
      announce(verdictOf(result))
    })

  return (
    <form onSubmit={onSubmit} noValidate className={stack.parts} aria-label={isNew ? m.newTitle() : m.settings()}>
      <ConnectionFields form={form} isNew={isNew} />
      <MappingFields form={form} />
      <SyncFields form={form} />
      <TestPanel
        test={test?.result}
        isOutdated={test?.values !== JSON.stringify(form.values)}
        busy={trying}
        run={runTest}
      />
      <p className={`${stack.dimmed} ${stack.small}`}>{m.actsForYou()}</p>
      {isNew ? (
        <>
          <ProblemMessage problem={problem} />
          <Group>
            <Button type="submit" loading={busy}>
              {m.saveNew()}
            </Button>
          </Group>
        </>
      ) : (
        <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
      )}
    </form>
  )
}

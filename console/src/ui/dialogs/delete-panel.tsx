import { Button } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { Panel } from '../page/panel'
import { ConfirmByName } from './confirm-by-name'

interface Props extends Omit<ComponentProps<typeof ConfirmByName>, 'opened' | 'close' | 'title'> {
  title: string
  about: string
  /** the title of the dialog */
  question: string
}

/** Deletes an object irreversibly, on its own page; see {@link ConfirmByName}. */
export function DeletePanel({ title, about, question, ...asked }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <Panel
      title={title}
      about={about}
      action={
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          {asked.verb}
        </Button>
      }
    >
      <ConfirmByName {...asked} opened={asking} title={question} close={() => setAsking(false)} />
    </Panel>
  )
}

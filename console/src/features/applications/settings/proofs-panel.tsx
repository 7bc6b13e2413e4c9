import type { Application } from '../../../api/contract'
import { ChoiceList } from '../../../ui/form/choice-list'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { applicationWords as words } from '../../../words'

const choices = ['requireDpop', 'dpopNonceEnabled'] as const

/** Whether the application's tokens are bound to a key of its own. */
export function ProofsPanel({ application }: { application: Application }) {
  return (
    <Panel title={words.proofs}>
      <div className={stack.wide}>
        <ChoiceList
          legend={words.proofsLegend}
          name="dpop"
          chosen={choices.filter((name) => application[name])}
          choices={choices.map((value) => ({ value, ...words.dpop[value] }))}
        />
      </div>
    </Panel>
  )
}

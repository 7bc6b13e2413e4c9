import type { Factor } from '../../api/contract'
import type { AddFactor } from './use-add-factor'

/** What the panels of the two kinds of factors have in common. */
export interface FactorsProps {
  methods: Factor[]
  hasPassword: boolean
  adding: AddFactor
  rename: (factor: Factor, name: string) => Promise<void>
  remove: (factor: Factor) => Promise<void>
}

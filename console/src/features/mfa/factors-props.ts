import type { Factor } from '../../api/contract'
import type { AddFactor } from './use-add-factor'

/** Common properties of the panels of both kinds. */
export interface FactorsProps {
  methods: Factor[]
  hasPassword: boolean
  adding: AddFactor
  rename: (factor: Factor, name: string) => Promise<void>
  remove: (factor: Factor) => Promise<void>
}

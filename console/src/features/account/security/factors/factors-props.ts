import type { Factor } from '../../../../api/contract'
import type { AddFactor } from './use-add-factor'

/** Common properties of the panels of both kinds. */
export interface FactorsProps {
  methods: Factor[]
  hasPassword: boolean
  adding: AddFactor
  /** the method that is being removed */
  removing: Factor | undefined
  rename: (factor: Factor, name: string) => void
  remove: (factor: Factor) => void
}

import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../ui/icons/icon'

export interface Section {
  to: NonNullable<LinkProps['to']>
  params?: { slug: string }
  icon: IconName
  name: string
  /** number of its objects, as a badge; not shown while it is unknown, nor for 0 */
  count?: number | undefined
  /** false if the pages below it belong to it as well */
  exact?: boolean
}

export interface SectionGroup {
  /** absent for the first sections, which need no title */
  name?: string
  sections: Section[]
}

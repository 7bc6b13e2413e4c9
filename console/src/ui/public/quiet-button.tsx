import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon'
import parts from './parts.module.css'

interface Props extends ButtonProps {
  icon?: IconName
  onClick: () => unknown
  children: ReactNode
}

/** A secondary action of a public page, without the weight of a button. */
export function QuietButton({ icon, ...props }: Props) {
  return (
    <Button
      {...props}
      variant="transparent"
      className={parts.quiet as string}
      leftSection={icon && <Icon name={icon} size={14} />}
    />
  )
}

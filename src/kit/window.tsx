import { Dialog, DialogBody } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { DialogEnd } from './dialog-end.tsx'
import { LayerFocus, useReturnFocus } from './focus.ts'

type Frame = {
  title: string
  close: () => void
  width?: number
  children: ReactNode
  actions?: ReactNode
  /** Changes when there is something new to begin at. */ stage?: unknown
}
/**
 * A dialog that is no question: what is marked `data-autofocus` has the focus when it opens, and
 * again at each stage.
 */
export const Window = ({ title, close, width = 720, children, actions, stage }: Frame) => {
  useReturnFocus()
  return (
    <Dialog
      isOpen
      title={title}
      onClose={close}
      canOutsideClickClose={false}
      style={{ width }}
      aria-label={title}
      shouldReturnFocusOnClose
    >
      <DialogBody>
        {children}
        <LayerFocus stage={stage ?? 0} />
      </DialogBody>
      <DialogEnd shows close={close}>
        {actions}
      </DialogEnd>
    </Dialog>
  )
}

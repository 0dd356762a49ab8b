import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useFocusedFirst } from './focus.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'

/** What becomes of a form that is half written when its page is left. */
export type OnLeaving = 'keep' | 'discard' | 'stay'
/** Asks it. Esc stays; whoever hears the answer gives the focus back. */
export const LeavingDialog = ({ answer }: { answer: (how: OnLeaving) => void }) => {
  const say = useSay()
  const keep = useFocusedFirst()
  const title = say(['有未保存的修改', 'There are unsaved changes'])
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={title}
      aria-label={title}
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      onClose={() => answer('stay')}
      style={{ width: 440 }}
    >
      <DialogBody>
        <p style={{ margin: 0 }}>
          {say([
            '离开后这些修改还没有保存。保留草稿，下次打开时会恢复。',
            'They are not saved yet. A draft comes back when you open the page again.',
          ])}
        </p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={() => answer('stay')}>
              {say(['继续编辑', 'Go on editing'])}
              <Keys keys="Esc" />
            </Button>
            <Button intent="danger" variant="outlined" onClick={() => answer('discard')}>
              {say(['放弃修改', 'Discard'])}
            </Button>
            <Button intent="primary" ref={keep} onClick={() => answer('keep')}>
              {say(['保留草稿', 'Keep the draft'])}
              <Keys keys="↵" />
            </Button>
          </>
        }
      />
    </Dialog>
  )
}

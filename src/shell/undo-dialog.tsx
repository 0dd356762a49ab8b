import { Button, Dialog, DialogBody } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { undoList } from '#commands/shell.ts'
import { unixNow } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { duration, Keys, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { undo as calls, type Undoable } from '#src/modules/undo/contract.ts'
import { titleOfDone, useDesk } from './desk.ts'
import { stepByButton } from './step.ts'

/** What I did and may still take back, the newest first, wherever it was done. */
export const UndoDialog = ({ close }: { close: () => void }) => {
  const say = useSay()
  const now = useLang()
  const desk = useDesk()
  const read = useRead(calls.mine, {})
  const list = read.data?.list
  const [busy, setBusy] = useState<number | undefined>(undefined)
  const box = useRef<HTMLUListElement>(null)
  useReturnFocus()
  // The keyboard begins at the newest, and stays in the list when one of it is gone.
  useEffect(() => {
    if (busy === undefined && !box.current?.contains(document.activeElement))
      box.current?.querySelector('button')?.focus()
  }, [list, busy])
  const take = (one: Undoable) => {
    setBusy(one.id)
    void desk.takeBack(one).finally(() => setBusy(undefined))
  }
  return (
    <Dialog isOpen title={titleIn(undoList, now)} onClose={close} style={{ width: 560 }}>
      <DialogBody>
        <Answer of={read} lines={3}>
          {({ list }) =>
            list.length === 0 ? (
              <p className="m-muted">
                {say([
                  '现在没有可以撤销的操作。能撤销的操作完成后，在时限内都可以在这里或用',
                  'Nothing can be taken back now. What can be is here until its time is up, or',
                ])}{' '}
                <Keys keys={desk.keysOf('workbench.undo')} />{' '}
                {say(['撤销，换一台电脑也可以。', 'takes it back, on any machine.'])}
              </p>
            ) : (
              <ul className="s-undos" ref={box} onKeyDown={stepByButton}>
                {list.map(one => (
                  <li key={one.id}>
                    <div>
                      <b>{titleOfDone(one)}</b>
                      {one.rows > 1 && (
                        <span className="m-num"> {say(['{n} 项', '{n}'], { n: one.rows })}</span>
                      )}
                      <span className="m-muted m-ellipsis"> {one.label}</span>
                    </div>
                    <div className="m-muted m-num">
                      <When at={one.at} /> ·{' '}
                      {say(['还可撤销 {t}', '{t} left'], {
                        t: duration(Math.max(0, one.until - unixNow()), say),
                      })}
                    </div>
                    <Button
                      size="small"
                      loading={busy === one.id}
                      disabled={busy !== undefined}
                      aria-label={say(['撤销：{title}', 'Undo: {title}'], {
                        title: titleOfDone(one),
                      })}
                      onClick={() => take(one)}
                    >
                      {say(['撤销', 'Undo'])}
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}

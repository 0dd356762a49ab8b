import { Dialog, DialogBody, Radio, RadioGroup } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { autoLockSetting } from '#commands/shell.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { useSetting } from '#src/kit/memory.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { autoLock, autoLockMinutes } from '../session/auto-lock.ts'

/** After how many minutes without anybody there the screen locks itself. */
export const AutoLockDialog = ({ close }: { close: () => void }) => {
  const say = useSay()
  const title = titleIn(autoLockSetting, useLang())
  const [chosen, choose] = useSetting(autoLock)
  const box = useRef<HTMLDivElement>(null)
  useReturnFocus()
  useEffect(() => box.current?.querySelector<HTMLElement>('input:checked')?.focus(), [])
  return (
    <Dialog isOpen title={title} onClose={close} style={{ width: 360 }}>
      <DialogBody>
        <div ref={box}>
          <RadioGroup
            name="auto-lock"
            label={say(['无操作多久后锁屏', 'Lock when nobody was there for'])}
            selectedValue={chosen}
            onChange={event => {
              const minutes = autoLockMinutes.find(one => String(one) === event.currentTarget.value)
              if (minutes !== undefined) choose(minutes)
            }}
          >
            {autoLockMinutes.map(n => (
              <Radio
                key={n}
                value={n}
                label={
                  n === 0 ? say(['不自动锁屏', 'Never']) : say(['{n} 分钟', '{n} minutes'], { n })
                }
              />
            ))}
          </RadioGroup>
        </div>
      </DialogBody>
    </Dialog>
  )
}

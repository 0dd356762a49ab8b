import { InputGroup } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import type { Action } from '#commands/command.ts'
import type { Write } from '#src/contract/call.ts'
import { useWrite } from '#src/kit/data.ts'
import { useLacks } from '#src/kit/pressable.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import type { Where } from './place.tsx'

export type Titled = { action: Action; call: Write<object, unknown, unknown> }
/** The title of a block as consumers see it, changed in its place. */
export const BlockTitle = ({
  of: { action, call },
  where,
  title,
}: {
  of: Titled
  where: Where
  title: string
}) => {
  const say = useSay()
  const { toast, ariaKeysOf } = useWorkbench()
  const lack = useLacks()(action)
  const [typed, setTyped] = useState(title)
  const [run] = useWrite(call)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setTyped(title), [title])
  useAction(action, () => {
    field.current?.focus()
    field.current?.select()
  })
  const save = () => {
    if (typed.trim() === title) return
    run({
      mid: where.mid,
      ...(where.mid === 0 ? { city_id: where.city_id } : {}),
      title: typed.trim(),
    }).then(
      () => toast(say(['标题已保存', 'The title is saved']), 'success'),
      () => setTyped(title),
    )
  }
  return (
    <InputGroup
      inputRef={field}
      size="small"
      style={{ width: 168 }}
      readOnly={lack !== undefined}
      aria-disabled={lack !== undefined}
      title={lack}
      aria-label={say(['区块标题', 'Title of the block'])}
      aria-keyshortcuts={ariaKeysOf(action.id)}
      maxLength={12}
      value={typed}
      placeholder={say(['标题（空为默认）', 'Title (empty: usual)'])}
      onValueChange={setTyped}
      onBlur={save}
      onKeyDown={event => {
        if (event.key === 'Enter') {
          event.preventDefault()
          event.stopPropagation()
          save()
        }
        if (event.key === 'Escape') setTyped(title)
      }}
    />
  )
}

import type { KeyboardEvent } from 'react'
import { SUPER_ADMIN } from '#src/areas/people/people.ts'
import { fieldModes, modeFits, type FieldMode } from '#src/areas/people/rights.ts'
import { stepRight } from '#src/kit/steps.ts'
import { useSay } from '#src/kit/text.ts'
import type { RoleDetail } from './roleDrafts.ts'
import './people.css'

const modes = ['default', 'show', 'mask', 'hide'] as const
const Modes = ({
  label,
  value,
  byDefault,
  mine,
  locked,
  change,
}: {
  label: string
  value: FieldMode | undefined
  byDefault: FieldMode
  mine: FieldMode
  locked: boolean
  change: (next: FieldMode | undefined) => void
}) => {
  const say = useSay()
  const may = (one: (typeof modes)[number]) =>
    !locked && (one === 'default' ? modeFits(mine, byDefault) : modeFits(mine, one))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = stepRight(event)
    if (!by) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
    const to = all[all.indexOf(document.activeElement as HTMLElement) + by]
    to?.focus()
    to?.click()
  }
  return (
    <div className="p-modes" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {modes.map(one => {
        const on = (value ?? 'default') === one
        return (
          <button
            key={one}
            type="button"
            role="radio"
            aria-checked={on}
            aria-disabled={!may(one) && !on}
            tabIndex={on ? 0 : -1}
            title={may(one) || on ? undefined : say(['超出你自己的权限', 'Beyond your own rights'])}
            onClick={() => {
              if (may(one)) change(one === 'default' ? undefined : one)
            }}
          >
            {one === 'default'
              ? say(['默认（{mode}）', 'Default ({mode})'], { mode: say(fieldModes[byDefault]) })
              : say(fieldModes[one])}
          </button>
        )
      })}
    </div>
  )
}
/** What a role sees of each guarded field. */
export const FieldRights = ({
  detail,
  rules,
  change,
}: {
  detail: RoleDetail
  rules: Readonly<Record<string, FieldMode>>
  change: (next: Record<string, FieldMode>) => void
}) => {
  const say = useSay()
  return (
    <div className="p-body" style={{ padding: '8px 12px' }}>
      <table className="p-table">
        <thead>
          <tr>
            <th>{say(['字段', 'Field'])}</th>
            <th>{say(['此角色看到的', 'What this role sees'])}</th>
          </tr>
        </thead>
        <tbody>
          {detail.fields.map(field => (
            <tr key={field.key}>
              <td>
                {field.title}
                <br />
                <code>{field.key}</code>
              </td>
              <td>
                <Modes
                  label={field.title}
                  value={rules[field.key]}
                  byDefault={field.default_mode}
                  mine={field.mine}
                  locked={
                    detail.role.code === SUPER_ADMIN ||
                    !modeFits(field.mine, detail.field_rules[field.key] ?? field.default_mode)
                  }
                  change={next => {
                    const { [field.key]: _, ...rest } = rules
                    change(next ? { ...rest, [field.key]: next } : rest)
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

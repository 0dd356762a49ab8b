import { Button, Checkbox, Dialog, DialogBody, InputGroup } from '@blueprintjs/core'
import { Add, Cross } from '@blueprintjs/icons'
import { useId, useMemo, useState } from 'react'
import { ask } from '#commands/command.ts'
import {
  rosterDays,
  rosterGaps,
  rosterOf,
  timePattern,
  type Duty,
} from '#src/areas/notice/warning.ts'
import { clause, semicolon, type Text } from '#src/domain/text.ts'
import { useWrite, type CallError } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { Field } from '#src/kit/fields.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keys } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { group as calls, type NotifyGroupRow } from '../contract/group.ts'
import { warningLogs } from '../contract/warning.ts'
import { settleParts } from './settle.ts'
import './duty.css'

export const weekdays: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
type Shift = {
  key: number
  weekdays: number[]
  from: string
  to: string
  admin_id: number | undefined
  name: string
}
const person = ask.entity({
  label: ['值班人', 'Person'],
  find: warningLogs.people,
  labelOf: row => `${row.name} ${row.account}`,
})
/** What stands in a field of time and is none. */
const isNoTime = (typed: string) => typed !== '' && !timePattern.test(typed)
const none = {}
let made = 0

/**
 * A group's duty by person and time: shifts of a week, their gaps shown while they are typed. Saved
 * as a whole; gaps want to be confirmed, and what somebody else saved meanwhile is settled day by
 * day.
 */
export const Roster = ({ of, close }: { of: NotifyGroupRow; close: () => void }) => {
  const say = useSay()
  const base = useId()
  const { settle } = useWorkbench()
  const [save, { isLoading }] = useWrite(calls.setRoster)
  /** What the shifts were made from. */
  const [from, setFrom] = useState<Pick<NotifyGroupRow, 'version' | 'roster'>>(of)
  const [shifts, setShifts] = useState<Shift[]>(() =>
    of.roster.map(shift => ({ ...shift, key: ++made })),
  )
  const [fault, setFault] = useState('')
  const [accept, setAccept] = useState(false)
  useReturnFocus()
  const sound = shifts.filter(
    shift =>
      shift.weekdays.length > 0 &&
      timePattern.test(shift.from) &&
      timePattern.test(shift.to) &&
      shift.admin_id !== undefined,
  )
  const gaps = useMemo(
    () => rosterGaps(sound.map(shift => ({ ...shift, admin_id: shift.admin_id! }))),
    [sound],
  )
  const set = (key: number, patch: Partial<Shift>) =>
    setShifts(now => now.map(shift => (shift.key === key ? { ...shift, ...patch } : shift)))
  const go = async () => {
    if (sound.length < shifts.length) {
      setFault(
        say([
          '请把每一班填写完整：星期、时间（如 09:00）与值班人',
          'Fill in every shift: days, times such as 09:00, and a person',
        ]),
      )
      return
    }
    let [base, mine] = [
      from,
      sound.map(shift => ({
        weekdays: shift.weekdays,
        from: shift.from,
        to: shift.to,
        admin_id: shift.admin_id!,
      })),
    ]
    for (;;) {
      const refused = await save(
        { id: of.id, version: base.version, roster: mine, accept_gaps: accept },
        { quiet: true },
      ).then(
        () => undefined,
        (error: CallError) => error,
      )
      if (!refused) {
        close()
        return
      }
      const now =
        refused.status === 409 ? (refused.data?.current as NotifyGroupRow | undefined) : undefined
      if (!now) {
        setFault(refused.message)
        return
      }
      const names = new Map(
        [...from.roster, ...shifts, ...now.roster].flatMap(shift =>
          shift.admin_id === undefined ? [] : [[shift.admin_id, shift.name] as const],
        ),
      )
      const told = (duties: readonly Duty[] = []) =>
        duties.length === 0 ? (
          <span className="m-muted">{say(['无人', 'Nobody'])}</span>
        ) : (
          duties
            .map(
              duty => `${duty.from}–${duty.to} ${names.get(duty.admin_id) ?? `#${duty.admin_id}`}`,
            )
            .join(say(semicolon))
        )
      const days = await settleParts(settle, {
        base: rosterDays(base.roster),
        now: rosterDays(now.roster),
        mine: rosterDays(mine),
        by: refused.data?.by,
        label: day => weekdays[Number(day) - 1]!,
        told,
      })
      if (!days) return
      base = now
      mine = rosterOf(days).map(shift => ({ ...shift, weekdays: [...shift.weekdays] }))
      setFrom(now)
      setShifts(
        mine.map(shift => ({ ...shift, key: ++made, name: names.get(shift.admin_id) ?? '' })),
      )
    }
  }
  const title = say(['设置值班表', 'Set the roster'])
  return (
    <Dialog
      isOpen
      title={`${title} · ${of.name}`}
      aria-label={title}
      onClose={close}
      canOutsideClickClose={false}
      style={{ width: 820 }}
    >
      <DialogBody>
        <form
          className="m-ask"
          onSubmit={event => {
            event.preventDefault()
            void go()
          }}
          onKeyDown={event => {
            if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
              event.preventDefault()
              void go()
            }
          }}
        >
          {shifts.map((shift, i) => (
            <fieldset key={shift.key} className="d-shift">
              <legend className="m-sr">{say(['第 {n} 班', 'Shift {n}'], { n: i + 1 })}</legend>
              <span className="d-days">
                {weekdays.map((day, at) => (
                  <Checkbox
                    key={at}
                    inline
                    label={say(day)}
                    checked={shift.weekdays.includes(at + 1)}
                    onChange={event =>
                      set(shift.key, {
                        weekdays: [1, 2, 3, 4, 5, 6, 7].filter(one =>
                          one === at + 1
                            ? event.currentTarget.checked
                            : shift.weekdays.includes(one),
                        ),
                      })
                    }
                  />
                ))}
              </span>
              {(['from', 'to'] as const).map(name => (
                <InputGroup
                  key={name}
                  size="small"
                  style={{ width: 64 }}
                  maxLength={5}
                  placeholder={name === 'from' ? '09:00' : '18:00'}
                  aria-label={name === 'from' ? say(['开始', 'From']) : say(['结束', 'To'])}
                  aria-invalid={isNoTime(shift[name])}
                  aria-describedby={`${base}-${shift.key}-times`}
                  value={shift[name]}
                  onValueChange={value =>
                    set(shift.key, { [name]: value.normalize('NFKC').trim() })
                  }
                />
              ))}
              <div className="d-person">
                <Field
                  ask={person}
                  names={
                    shift.admin_id !== undefined && shift.name
                      ? { [shift.admin_id]: shift.name }
                      : none
                  }
                  named={(admin_id, name) => set(shift.key, { admin_id, name })}
                  id={`${base}-${shift.key}`}
                  describedBy=""
                  value={shift.admin_id}
                  change={value => set(shift.key, { admin_id: value as number | undefined })}
                  submit={() => void go()}
                  invalid={false}
                  rows={[]}
                  answers={none}
                />
              </div>
              <Button
                size="small"
                variant="minimal"
                icon={<Cross />}
                aria-label={say(['移除第 {n} 班', 'Remove shift {n}'], { n: i + 1 })}
                onClick={() => setShifts(shifts.filter(one => one !== shift))}
              />
              <div className="m-error d-times" id={`${base}-${shift.key}-times`}>
                {(isNoTime(shift.from) || isNoTime(shift.to)) &&
                  say(['时间写作 09:00 的形式', 'A time is written as 09:00'])}
              </div>
            </fieldset>
          ))}
          <div>
            <Button
              size="small"
              icon={<Add />}
              onClick={() =>
                setShifts([
                  ...shifts,
                  {
                    key: ++made,
                    weekdays: [1, 2, 3, 4, 5],
                    from: '09:00',
                    to: '18:00',
                    admin_id: undefined,
                    name: '',
                  },
                ])
              }
            >
              {say(['添加一班', 'Add a shift'])}
            </Button>
          </div>
          {gaps.length > 0 && (
            <div role="status">
              <p className="m-bad">
                {say(['有 {n} 处无人值班：', '{n} stretches without anybody: '], {
                  n: gaps.length,
                })}
                {gaps
                  .slice(0, 8)
                  .map(gap => `${say(weekdays[gap.weekday - 1]!)} ${gap.from}–${gap.to}`)
                  .join(say(clause))}
                {gaps.length > 8 ? '…' : ''}
              </p>
              <Checkbox
                label={say(['我知道有空档，仍要保存', 'I know of the gaps, save it'])}
                checked={accept}
                onChange={event => setAccept(event.currentTarget.checked)}
              />
            </div>
          )}
          <div className="m-error" role={fault ? 'alert' : undefined}>
            {fault}
          </div>
          <button type="submit" hidden />
        </form>
      </DialogBody>
      <DialogEnd close={close}>
        <Button intent="primary" loading={isLoading} onClick={() => void go()}>
          {say(['保存值班表', 'Save'])}
          <Keys keys="⌃↵" />
        </Button>
      </DialogEnd>
    </Dialog>
  )
}

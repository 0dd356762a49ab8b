import { Button, Checkbox, Dialog, DialogBody, Radio, Tag } from '@blueprintjs/core'
import { useCallback, useEffect, useState } from 'react'
import { comma, semicolon, type Text } from '#src/domain/text.ts'
import { dispatchWrite } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import type { ExportAsk, ExportScope } from '#src/kit/exporting.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { useSetting } from '#src/kit/memory.ts'
import { Keys } from '#src/kit/show.tsx'
import { Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { exports as calls, type ExportAbout } from '#src/modules/export/contract.ts'
import { setting } from './settings.ts'
import { useAppDispatch } from './store.ts'

type Format = ExportAbout['format']
/** The columns that a person left out the last time, and the format they chose. */
type Habit = { without: readonly string[]; format?: Format }
const isHabit = (value: unknown): value is Habit =>
  typeof value === 'object' && value !== null && Array.isArray((value as Habit).without)
const usual: Habit = { without: [] }
const formats: Record<Format, string> = { xlsx: 'Excel (.xlsx)', csv: 'CSV (.csv)' }
const scopeNames: Record<ExportScope['key'], Text> = {
  selected: ['已选', 'Selected'],
  filtered: ['当前筛选', 'As filtered'],
  all: ['全部', 'All'],
}
const ofTab: Text = ['当前状态的全部', 'All in this state']

/** What each scope would hold now, asked of the server as soon as the dialog is there. */
const useAbouts = ({ path, scopes }: ExportAsk) => {
  const dispatch = useAppDispatch()
  const [abouts, setAbouts] = useState<Abouts>({})
  useEffect(() => {
    let isHere = true
    for (const { key, input } of scopes) {
      const told = (about: ExportAbout | 'failed') => {
        if (isHere) setAbouts(now => ({ ...now, [key]: about }))
      }
      dispatchWrite(dispatch, calls.about, { path, asked: input }).then(told, () => told('failed'))
    }
    return () => {
      isHere = false
    }
  }, [dispatch, path, scopes])
  return abouts
}

/** Whether what is exported shows all that stands there, by the rights of whoever exports it. */
const Masks = ({ columns }: Pick<ExportAbout, 'columns'>) => {
  const say = useSay()
  const called = (shown: 'mask' | 'hide') =>
    columns
      .filter(column => column.shown === shown)
      .map(column => column.title)
      .join(say(comma))
  const [masked, hidden] = [called('mask'), called('hide')]
  const parts = [
    masked && say(['按你的权限脱敏：{of}', 'Masked for you: {of}'], { of: masked }),
    hidden && say(['无权查看，不导出：{of}', 'Left out, you may not see: {of}'], { of: hidden }),
  ].filter(Boolean)
  return (
    <p className="m-told" data-masks>
      {parts.join(say(semicolon)) || say(['没有脱敏字段，内容为原文', 'Nothing is masked for you'])}
    </p>
  )
}
type ColumnsOf = {
  columns: ExportAbout['columns']
  without: readonly string[]
  change: (without: readonly string[]) => void
}
/** Which columns the file has. */
const Columns = ({ columns, without, change }: ColumnsOf) => {
  const say = useSay()
  const mine = columns.filter(column => column.shown !== 'hide')
  const left = mine.filter(column => without.includes(column.key)).length
  return (
    <fieldset>
      <legend>
        {say(['字段（{n} / {all}）', 'Columns ({n} / {all})'], {
          n: mine.length - left,
          all: mine.length,
        })}
        <Button
          size="small"
          variant="minimal"
          onClick={() => change(left > 0 ? [] : mine.map(column => column.key))}
        >
          {left > 0 ? say(['全选', 'All']) : say(['全不选', 'None'])}
        </Button>
      </legend>
      <div className="s-export-columns">
        {mine.map(({ key, title, shown }) => (
          <Checkbox
            key={key}
            checked={!without.includes(key)}
            onChange={() =>
              change(
                without.includes(key) ? without.filter(other => other !== key) : [...without, key],
              )
            }
          >
            {title}
            {shown === 'mask' && (
              <Tag minimal style={{ marginLeft: 4 }}>
                {say(['脱敏', 'Masked'])}
              </Tag>
            )}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

type Abouts = Readonly<Record<string, ExportAbout | 'failed'>>
type ScopesOf = {
  of: ExportAsk
  abouts: Abouts
  at: ExportScope['key']
  go: (key: ExportScope['key']) => void
}
/** How much is exported, each with how many rows that is now. */
const Scopes = ({ of, abouts, at, go }: ScopesOf) => {
  const say = useSay()
  const count = (told: Abouts[string] | undefined) =>
    typeof told === 'object' ? told.rows : undefined
  return (
    <fieldset>
      <legend>{say(['范围', 'Rows'])}</legend>
      {of.scopes.map(one => (
        <Radio
          key={one.key}
          name="scope"
          value={one.key}
          checked={at === one.key}
          onChange={() => go(one.key)}
        >
          {say(one.ofTab ? ofTab : scopeNames[one.key])}{' '}
          <b className="m-num">{count(abouts[one.key])?.toLocaleString() ?? '…'}</b>{' '}
          {say(['行', count(abouts[one.key]) === 1 ? 'row' : 'rows'])}
        </Radio>
      ))}
    </fieldset>
  )
}
const Formats = ({ at, choose }: { at: Format | undefined; choose: (key: Format) => void }) => {
  const say = useSay()
  return (
    <fieldset data-line>
      <legend>{say(['格式', 'Format'])}</legend>
      {(Object.keys(formats) as Format[]).map(key => (
        <Radio
          key={key}
          inline
          name="format"
          value={key}
          checked={at === key}
          onChange={() => choose(key)}
          label={formats[key]}
        />
      ))}
    </fieldset>
  )
}

/** Why it can't begin, as long as it can't. */
const whyNot = (about: ExportAbout | 'failed' | undefined, taken: number): Text | undefined => {
  if (about === undefined) return undefined
  if (about === 'failed') return ['这个范围不能导出', 'This can not be exported']
  if (about.rows === 0) return ['没有可导出的行', 'There are no rows to export']
  return taken === 0 ? ['请至少勾选一个字段', 'Tick at least one column'] : undefined
}
/** What a person has chosen so far, and how it begins. */
const useChoice = (of: ExportAsk, close: () => void) => {
  const [scope, setScope] = useState<ExportScope['key']>(of.scopes[0]!.key)
  const [habit, setHabit] = useSetting(setting(`export:${of.path}`, isHabit, usual))
  const abouts = useAbouts(of)
  const [busy, setBusy] = useState(false)
  // Enter may come before the server has told what there is.
  const [eager, setEager] = useState(false)
  const about = abouts[scope]
  const known = about === 'failed' ? undefined : about
  const taken = known?.columns.filter(
    ({ key, shown }) => shown !== 'hide' && !habit.without.includes(key),
  )
  const why = whyNot(about, taken?.length ?? 0)
  const format = habit.format ?? known?.format
  const begin = async () => {
    if (busy || why) return
    if (!known || !taken) {
      setEager(true)
      return
    }
    const all = known.columns.filter(column => column.shown !== 'hide').length
    setBusy(true)
    const done = await of.begin({
      ...of.scopes.find(one => one.key === scope)!.input,
      ...(taken.length < all && { columns: taken.map(column => column.key) }),
      format,
    })
    setBusy(false)
    if (done) close()
  }
  useEffect(() => {
    if (!eager || !known) return
    setEager(false)
    void begin()
  }, [eager, known])
  return { scope, setScope, habit, setHabit, abouts, known, about, why, format, busy, begin }
}
/**
 * Asks before an export begins: how much, which columns, which format. Whoever presses Enter at once
 * gets what is selected, else what is filtered, with the columns and the format of the last time.
 */
export const ExportDialog = ({ of, close }: { of: ExportAsk; close: () => void }) => {
  const say = useSay()
  const now = useLang()
  const choice = useChoice(of, close)
  const { scope, setScope, habit, setHabit, abouts, known, about, why, format, busy, begin } =
    choice
  useReturnFocus()
  const first = useCallback(
    (form: HTMLFormElement | null) =>
      form?.querySelector<HTMLInputElement>('input[type=radio]:checked')?.focus(),
    [],
  )
  const title = titleIn(of.action, now)
  return (
    <Dialog
      isOpen
      title={title}
      aria-label={title}
      onClose={close}
      canOutsideClickClose={false}
      style={{ width: 600 }}
    >
      <DialogBody>
        <form
          className="s-export"
          ref={first}
          onSubmit={event => {
            event.preventDefault()
            void begin()
          }}
        >
          <Scopes of={of} abouts={abouts} at={scope} go={setScope} />
          {known ? (
            <Columns
              columns={known.columns}
              without={habit.without}
              change={without => setHabit({ ...habit, without })}
            />
          ) : (
            about === undefined && <Loading lines={3} />
          )}
          <Formats at={format} choose={key => setHabit({ ...habit, format: key })} />
          {known && <Masks columns={known.columns} />}
          {why && (
            <p className="m-error" role="alert">
              {say(why)}
            </p>
          )}
          <button type="submit" hidden />
        </form>
      </DialogBody>
      <DialogEnd close={close}>
        <Button
          intent="primary"
          loading={busy}
          disabled={why !== undefined}
          onClick={() => void begin()}
        >
          {known
            ? say(['导出 {n} 行', 'Export {n} rows'], { n: known.rows.toLocaleString() })
            : say(['导出', 'Export'])}
          <Keys keys="↵" />
        </Button>
      </DialogEnd>
    </Dialog>
  )
}

import { Button, Checkbox, Dialog, DialogBody, FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Command } from '#commands/command.ts'
import { semicolon, type Text } from '#src/domain/text.ts'
import { download } from '#src/kit/download.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { useSetting } from '#src/kit/memory.ts'
import { Keys } from '#src/kit/show.tsx'
import { stepDown } from '#src/kit/steps.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { isGlobal } from '../registry.ts'
import { tipSettings } from '../tips.ts'
import { toast } from '../toasts.tsx'
import {
  bindable,
  exportKeys,
  hurtBy,
  idOf,
  importKeys,
  keptBy,
  keySettings,
  keysUnder,
  presets,
  usualKeys,
  waits,
  type Hurt,
  type KeySettings,
  type Letters,
  type Preset,
} from './bound.ts'
import { isSought, KeySearch, type Sought } from './search.tsx'
import { Caps } from './sheet.tsx'
import { parse, strokesOf, type Stroke } from './strokes.ts'

const presetNames: Readonly<Record<Preset, Text>> = {
  default: ['默认', 'Default'],
  vim: ['Vim 习惯', 'As in Vim'],
  gmail: ['Gmail 习惯', 'As in Gmail'],
  mouse: ['只用鼠标（仅保留 Ctrl K 等通用键）', 'Mouse only'],
}
const letterNames: Readonly<Record<Letters, Text>> = {
  plain: ['直接按', 'As they are'],
  alt: ['先按住 Alt（带 Shift 的停用）', 'With Alt; none with Shift'],
  off: ['停用', 'Off'],
}
/** More would be drawn than anyone reads: words find the others. */
const MOST = 120

/** Under settings that a change was made to: what is as declared needs no word of its own. */
const withOwn = (
  settings: KeySettings,
  changes: Readonly<Record<string, string | null | undefined>>,
): KeySettings => {
  const own: Record<string, string | null> = { ...settings.own }
  for (const [id, keys] of Object.entries(changes)) {
    delete own[id]
    const of = bindable().find(one => idOf(one) === id)
    if (keys !== undefined && of && (keysUnder({ ...settings, own }, of) ?? null) !== keys)
      own[id] = keys
  }
  return { ...settings, own }
}

/**
 * 自定义快捷键: every command with its keys; chosen, it takes the next keys pressed, and says whom they
 * would hurt.
 */
export const Rebind = ({ close }: { close: () => void }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const base = useId()
  const [settings, set] = useSetting(keySettings)
  const [tips, setTips] = useSetting(tipSettings)
  const [sought, seek] = useState<Sought>({ words: '', pressed: null })
  const [only, setOnly] = useState(false)
  const [pointed, setPointed] = useState(0)
  const [recording, setRecording] = useState<Command | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useReturnFocus()
  const mine = useMemo(() => bindable().filter(of => desk.me.can(of.permit)), [desk])
  const where = (of: Command) => {
    if (of.kind === 'page') return say(['打开页面', 'Open a page'])
    if (isGlobal(of)) return say(['工作台', 'Workbench'])
    return of.id.startsWith('list.') ? say(['列表', 'Lists']) : titleIn(of.at, now)
  }
  const front = desk.page()
  const fits = mine
    .filter(
      of =>
        (!only || Object.hasOwn(settings.own, idOf(of))) &&
        isSought(sought, of, keysUnder(settings, of), where(of)),
    )
    // What stands in front comes first.
    .sort(
      (a, b) =>
        Number(b.kind === 'action' && b.at === front && !isGlobal(b) && !b.id.startsWith('list.')) -
        Number(a.kind === 'action' && a.at === front && !isGlobal(a) && !a.id.startsWith('list.')),
    )
  const shown = fits.slice(0, MOST)
  const at = Math.min(pointed, shown.length - 1)
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, shown.length])
  const onKey = (event: KeyboardEvent) => {
    const by = stepDown(event)
    if (by) setPointed(Math.max(0, Math.min(shown.length - 1, at + by)))
    else if (event.key === 'Enter' && shown[at]) setRecording(shown[at])
    else return
    event.preventDefault()
  }
  const done = () => {
    setRecording(null)
    requestAnimationFrame(() =>
      box.current
        ?.closest('.bp6-dialog')
        ?.querySelector<HTMLElement>('input[type=search]')
        ?.focus(),
    )
  }
  const change = (part: Partial<KeySettings>) => set(before => ({ ...before, ...part }))
  const take = async (chosen: File | undefined) => {
    const read = chosen && chosen.size < 200_000 ? importKeys(await chosen.text()) : undefined
    if (!read) {
      toast(
        say([
          '文件内容不是快捷键设置，没有导入。请选择从这里导出的文件',
          'The file holds no shortcuts; nothing was imported. Choose one that was exported here',
        ]),
        'warning',
      )
      return
    }
    set(read.settings)
    const why = read.left
      .slice(0, 3)
      .map(one => `${one.id} ${say(one.why)}`)
      .join(say(semicolon))
    toast(
      read.left.length > 0
        ? say(['已导入 {n} 项，略过 {m} 项：{why}', '{n} imported, {m} left out: {why}'], {
            n: read.took,
            m: read.left.length,
            why,
          })
        : say(['已导入 {n} 项', '{n} imported'], { n: read.took }),
      read.left.length > 0 ? 'warning' : 'success',
    )
  }
  const give = () => download('mallet-keys.json', exportKeys(settings), 'application/json')
  return (
    <Dialog
      isOpen
      onClose={close}
      title={say(['自定义快捷键', 'Customise shortcuts'])}
      style={{ width: 'min(880px, 94vw)' }}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose
    >
      <DialogBody className="s-bind">
        <div className="s-bind-ways">
          <FormGroup label={say(['方案', 'Preset'])} labelFor={`${base}p`}>
            <HTMLSelect
              id={`${base}p`}
              value={settings.preset}
              onChange={event => change({ preset: event.target.value as Preset })}
              options={presets.map(value => ({ value, label: say(presetNames[value]) }))}
            />
          </FormGroup>
          <FormGroup
            label={say(['单个字母与符号键', 'Single letters and signs'])}
            labelFor={`${base}l`}
          >
            <HTMLSelect
              id={`${base}l`}
              value={settings.letters}
              onChange={event => change({ letters: event.target.value as Letters })}
              options={Object.entries(letterNames).map(([value, label]) => ({
                value,
                label: say(label),
              }))}
            />
          </FormGroup>
          <FormGroup label={say(['连按等待', 'A sequence waits'])} labelFor={`${base}w`}>
            <HTMLSelect
              id={`${base}w`}
              value={settings.wait_ms}
              onChange={event => change({ wait_ms: Number(event.target.value) })}
              options={waits.map(value => ({
                value,
                label:
                  value === 0
                    ? say(['不限', 'As long as it takes'])
                    : say(['{n} 秒', '{n} s'], { n: value / 1000 }),
              }))}
            />
          </FormGroup>
          <div>
            <Checkbox
              label={say(['按住 Alt 显示控件字母', 'Holding Alt shows letters at controls'])}
              checked={settings.hints}
              onChange={event => change({ hints: event.currentTarget.checked })}
            />
            <Checkbox
              label={say(['鼠标用多了提示快捷键', 'Tell the key of what I do by mouse'])}
              checked={tips.on}
              onChange={event =>
                setTips(before => ({ ...before, on: event.currentTarget.checked }))
              }
            />
          </div>
        </div>
        <KeySearch
          sought={sought}
          seek={next => {
            seek(next)
            setPointed(0)
          }}
          label={say(['搜索操作', 'Search actions'])}
          onKey={onKey}
          pointed={shown[at] && `${base}-${at}`}
        />
        <div
          ref={box}
          role="listbox"
          aria-label={say(['操作与按键', 'Actions and their keys'])}
          className="s-bind-list"
        >
          {shown.map((of, i) => {
            const keys = keysUnder(settings, of)
            const own = Object.hasOwn(settings.own, idOf(of))
            const hurt =
              own && keys
                ? hurtBy(
                    of,
                    parse(keys).map(press => [press]),
                    settings,
                    mine,
                  )[0]
                : undefined
            return (
              <div
                key={idOf(of)}
                id={`${base}-${i}`}
                role="option"
                aria-selected={i === at}
                onClick={() => {
                  setPointed(i)
                  setRecording(of)
                }}
              >
                <b className="m-ellipsis">{titleIn(of, now)}</b>
                <span className="m-muted m-ellipsis">{where(of)}</span>
                <span className="m-muted">
                  {hurt ? (
                    <em>
                      {say(['与“{title}”冲突', 'Clashes with “{title}”'], {
                        title: titleIn(hurt.of, now),
                      })}
                    </em>
                  ) : (
                    own && say(['已修改', 'Changed'])
                  )}
                </span>
                <span>
                  {keys ? (
                    <Caps keys={keys} />
                  ) : (
                    <span className="m-muted">{say(['无', 'None'])}</span>
                  )}
                </span>
              </div>
            )
          })}
          {shown.length === 0 && (
            <p className="m-muted">
              {say(['没有符合的操作，换个词试试', 'Nothing matches, try other words'])}
            </p>
          )}
          {fits.length > MOST && (
            <p className="m-muted">
              {say(['还有 {n} 项，输入名称或按键查找', '{n} more: type a name or a key'], {
                n: fits.length - MOST,
              })}
            </p>
          )}
        </div>
        {recording ? (
          <Recorder
            key={idOf(recording)}
            of={recording}
            among={mine}
            settings={settings}
            where={where}
            save={changes => {
              set(before => withOwn(before, changes))
              done()
            }}
            cancel={done}
          />
        ) : (
          <footer className="s-bind-foot">
            <span className="m-muted">
              <kbd className="m-key">↑↓</kbd> {say(['选择', 'Choose'])}{' '}
              <kbd className="m-key">↵</kbd> {say(['录制新的按键', 'Record new keys'])}
            </span>
            <Checkbox
              inline
              label={say(['只看已修改的', 'Only those changed'])}
              checked={only}
              onChange={event => {
                setOnly(event.currentTarget.checked)
                setPointed(0)
              }}
            />
            <span className="s-fill" />
            <input
              ref={file}
              type="file"
              accept="application/json,.json"
              hidden
              aria-label={say(['快捷键文件', 'File of shortcuts'])}
              onChange={event => {
                void take(event.target.files?.[0])
                event.target.value = ''
              }}
            />
            <Button size="small" onClick={() => file.current?.click()}>
              {say(['导入', 'Import'])}
            </Button>
            <Button size="small" onClick={give}>
              {say(['导出', 'Export'])}
            </Button>
            <Button
              size="small"
              disabled={settings === usualKeys}
              onClick={() => set(before => ({ ...usualKeys, hints: before.hints }))}
            >
              {say(['全部恢复默认', 'Reset all'])}
            </Button>
          </footer>
        )}
      </DialogBody>
    </Dialog>
  )
}

const how: Readonly<Record<Hurt['how'], Text>> = {
  same: ['用同样的键', 'has the same keys'],
  longer: ['以这些键开头，将按不到', 'begins with these keys and could not be reached'],
  shorter: [
    '已占用前面的键，这里将按不到',
    'takes the first of them, so that these could not be reached',
  ],
}
const PAUSE_MS = 1200
/**
 * Takes the next keys pressed, and says at each what they would hurt. A pause ends it, Enter at
 * once.
 */
const Recorder = ({
  of,
  among,
  settings,
  where,
  save,
  cancel,
}: {
  of: Command
  among: readonly Command[]
  settings: KeySettings
  where: (of: Command) => string
  save: (changes: Readonly<Record<string, string | null | undefined>>) => void
  cancel: () => void
}) => {
  const say = useSay()
  const now = useLang()
  const [presses, setPresses] = useState<readonly (readonly Stroke[])[]>([])
  const listening = useRef<HTMLButtonElement>(null)
  const accept = useRef<HTMLButtonElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    listening.current?.focus()
    return () => clearTimeout(timer.current)
  }, [])
  const keys = presses.map(names => names[0]).join(' ')
  const kept = keptBy(presses.map(names => names[0]!))
  const hurt = useMemo(
    () => (presses.length > 0 ? hurtBy(of, presses, settings, among) : []),
    [of, presses, settings, among],
  )
  const toButtons = () => {
    clearTimeout(timer.current)
    requestAnimationFrame(() => (accept.current?.disabled ? null : accept.current)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' || event.repeat) return
    event.preventDefault()
    event.stopPropagation()
    clearTimeout(timer.current)
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter' && presses.length > 0) toButtons()
    else if (event.key === 'Backspace') setPresses(presses.slice(0, -1))
    else {
      const names = strokesOf(event.nativeEvent)
      if (names.length === 0 || presses.length >= 4) return
      setPresses([...presses, names])
      timer.current = setTimeout(toButtons, PAUSE_MS)
    }
  }
  const usual = keysUnder(withOwn(settings, { [idOf(of)]: undefined }), of)
  const take = () =>
    save({ ...Object.fromEntries(hurt.map(one => [idOf(one.of), null])), [idOf(of)]: keys })
  return (
    <section
      className="s-bind-record"
      aria-label={say(['录制“{title}”的按键', 'Record keys for “{title}”'], {
        title: titleIn(of, now),
      })}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          cancel()
        }
      }}
    >
      <div>
        <b>{titleIn(of, now)}</b>
        <button
          ref={listening}
          type="button"
          className="s-bind-listen"
          onKeyDown={onKeyDown}
          onClick={() => setPresses([])}
          aria-label={say(
            [
              '请按下新的按键，可连按；现为 {keys}',
              'Press the new keys, one or several; now {keys}',
            ],
            { keys: keys || say(['空', 'none']) },
          )}
        >
          {presses.length > 0 ? (
            <Caps keys={keys} />
          ) : (
            <span className="m-muted">
              {say(['请按下新的按键，可连按几个', 'Press the new keys, one or several'])}
            </span>
          )}
        </button>
      </div>
      <div role="status" className="s-bind-told">
        {kept ? (
          <p className="m-bad">
            {say(kept)}
            {say(['，请换一个', '; choose another'])}
          </p>
        ) : (
          hurt.length > 0 && (
            <>
              <p>{say(['使用后，下列操作将失去按键：', 'These would lose their keys:'])}</p>
              <ul>
                {hurt.slice(0, 6).map(one => (
                  <li key={idOf(one.of)}>
                    <Caps keys={one.keys} /> {titleIn(one.of, now)}
                    {say(['（{where}）{how}', ' ({where}) {how}'], {
                      where: where(one.of),
                      how: say(how[one.how]),
                    })}
                  </li>
                ))}
                {hurt.length > 6 && (
                  <li>{say(['等共 {n} 项', 'and others, {n} total'], { n: hurt.length })}</li>
                )}
              </ul>
            </>
          )
        )}
      </div>
      <footer>
        <Button size="small" onClick={() => save({ [idOf(of)]: null })}>
          {say(['不设按键', 'No keys'])}
        </Button>
        {usual !== keysUnder(settings, of) && (
          <Button size="small" onClick={() => save({ [idOf(of)]: undefined })}>
            {say(['恢复默认', 'Reset'])}
            {usual && <Caps keys={usual} />}
          </Button>
        )}
        <span className="s-fill" />
        <Button size="small" onClick={cancel}>
          {say(['取消', 'Cancel'])}
          <Keys keys="Esc" />
        </Button>
        <Button
          size="small"
          ref={accept}
          intent={hurt.length > 0 ? 'warning' : 'primary'}
          disabled={presses.length === 0 || kept !== undefined}
          onClick={take}
        >
          {hurt.length > 0 ? say(['仍然使用', 'Use it all the same']) : say(['使用', 'Use it'])}
          <Keys keys="↵" />
        </Button>
      </footer>
    </section>
  )
}

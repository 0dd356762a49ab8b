import { Command } from 'cmdk'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import readings from 'virtual:palette-index'
import type { Page, RecordFinder } from '#commands/command.ts'
import { calculate } from '#src/areas/workbench/calc.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { DryRun } from '#src/kit/dry-run.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { pathOf, screenOf, tidy } from '../address.ts'
import { useDesk, type Desk, type Offer } from '../desk.ts'
import { useGrantedBy } from '../grantors.ts'
import { halfWidth, keyLabel } from '../keys/strokes.ts'
import { actionById, finderOf, isGlobal, pageAt } from '../registry.ts'
import { toast } from '../toasts.tsx'
import type { Answer } from './answers.ts'
import { searchOf, type Only, type Shown } from './entries.ts'
import { askedHow, openAnswer, pointAt } from './help.ts'
import { lineOf, meaningOf, splitLine, type TypedLine } from './line.ts'
import { plain } from './plain.ts'
import { asksRecord } from './record-of.ts'
import { RecordStep } from './record-step.tsx'
import { useRecords, type Among, type Found } from './records.ts'
import { canStep, Steps } from './steps.tsx'
import { remember } from './used.ts'

const searches = new WeakMap<Desk, ReturnType<typeof searchOf>>()
/** Built at the first opening, kept as long as the person is here. */
const searchFor = (desk: Desk) => {
  let search = searches.get(desk)
  if (!search) searches.set(desk, (search = searchOf(desk, readings)))
  return search
}
/** Builds the palette's index ahead of its first opening. */
export const prepare = (desk: Desk): void => void searchFor(desk)
const headings = {
  action: ['操作', 'Action'],
  page: ['页面', 'Page'],
  elsewhere: ['其他页面的操作', 'Elsewhere'],
  record: ['记录', 'Record'],
  help: ['在哪里', 'Where'],
  line: ['直接执行', 'Run at once'],
  article: ['帮助', 'Help'],
  term: ['名词', 'Word'],
  sum: ['计算', 'Sum'],
  address: ['地址', 'Address'],
} satisfies Record<string, Text>
/** What the first sign looks among, in both widths. */
const marks: Readonly<Record<string, { only?: Only; among?: Among }>> = {
  '>': { only: 'actions' },
  '/': { only: 'pages' },
  ':': { only: 'settings' },
  '#': { among: 'records' },
  '@': { among: 'people' },
  '=': {},
  '?': { only: 'all' },
}
/** An address of this workbench that was pasted, as far as the person may open it. */
const addressOf = (desk: Desk, typed: string): string | undefined => {
  const text = typed.trim()
  if (
    !/^(?:https?:\/\/|\/(?:manage|ecoupon)\b)/i.test(text) ||
    !URL.canParse(text, location.origin)
  )
    return undefined
  const url = new URL(text, location.origin)
  const at =
    url.origin === location.origin && screenOf(url.pathname) === 'manage'
      ? tidy(url.pathname + url.search)
      : undefined
  const page = at === undefined ? undefined : pageAt(pathOf(at))
  return page && desk.me.can(page.permit) ? at : undefined
}

/**
 * What is offered before anything is typed: what is in sight and some more, for it is drawn in the
 * time of a frame.
 */
const UNASKED = 14

/** Whether something found is called by just these words, in either language or by another name. */
const calledBy = ({ id, title, en, page, elsewhere, offer }: Shown, words: string): boolean =>
  [title, en, ...((page ?? offer?.action ?? (elsewhere && actionById(id)))?.alias ?? [])].some(
    name => plain(name) === plain(words),
  )

let answering:
  | Promise<
      (asked: string, can: (permit: string) => boolean, most?: number, least?: number) => Answer[]
    >
  | undefined
/** What the help says to what is typed; it is fetched when something is first asked for. */
const useAnswers = (words: string, asking: boolean): readonly Answer[] => {
  const desk = useDesk()
  const [find, setFind] = useState<Awaited<NonNullable<typeof answering>> | undefined>(undefined)
  const wanted = words.trim().length >= 2
  useEffect(() => {
    if (!wanted) return
    answering ??= Promise.all([import('./answers.ts'), import('virtual:help-index')]).then(
      ([code, index]) => code.answering(index.default),
    )
    answering.then(
      found => setFind(() => found),
      () => {
        answering = undefined
      },
    )
  }, [wanted])
  return useMemo(() => {
    if (!find || !wanted) return []
    return asking ? find(words, desk.me.can, 4) : find(words, desk.me.can, 2, 0.7)
  }, [find, wanted, words, desk, asking])
}

/**
 * An entry that can't be had says so and may be chosen all the same, to hear why; cmdk would not let
 * it be chosen, and sets the attribute itself.
 */
const saysOff = (off: boolean) => (entry: HTMLElement | null) =>
  entry?.setAttribute('aria-disabled', String(off))

const isPlainArrow = (event: KeyboardEvent): boolean =>
  (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
  !(event.altKey || event.metaKey || event.ctrlKey)
/** The entry so many on from the chosen one, round the ends: cmdk steps over what says it is off. */
const entryBeside = (root: Element, by: 1 | -1): Element | undefined => {
  const entries = [...root.querySelectorAll('[cmdk-item]')]
  const at = entries.findIndex(one => one.getAttribute('aria-selected') === 'true')
  return entries[(at + by + entries.length) % entries.length]
}

/** Finds and does everything: actions of what is in front, pages, records. */
export const Palette = ({
  start,
  entered = false,
  close,
}: {
  start: string
  /** Enter was pressed already, while its code was on its way. */ entered?: boolean
  close: () => void
}) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const [typed, setTyped] = useState(start)
  const [stepping, setStepping] = useState<Offer | null>(null)
  const [naming, setNaming] = useState<{ page: Page; finder: RecordFinder } | null>(null)
  const [chosen, setChosen] = useState('')
  const search = useMemo(() => searchFor(desk)(unixNow()), [desk])
  const address = useMemo(() => addressOf(desk, typed), [desk, typed])
  const sign = halfWidth(typed).trimStart()[0] ?? ''
  const mark = address === undefined && Object.hasOwn(marks, sign) ? sign : ''
  const how = askedHow(typed)
  const words = how ?? (mark ? halfWidth(typed).trimStart().slice(1) : typed)
  const { only, among } = mark
    ? marks[mark]!
    : { only: 'all' as const, among: how === undefined ? ('all' as const) : undefined }
  const hits = useMemo(
    () =>
      only === undefined || address !== undefined
        ? { shown: [], total: 0 }
        : search(words, only, words === '' ? UNASKED : undefined),
    [search, words, only, address],
  )
  const answers = useAnswers(
    only === 'all' && address === undefined ? words : '',
    how !== undefined,
  )
  const records = useRecords(among && address === undefined ? words : '', among ?? 'all')
  const sum = useMemo(() => (mark === '=' ? calculate(words) : undefined), [mark, words])
  // `驳回 3 资质过期`: the command by its name alone, what follows as its answers.
  const line = useMemo((): TypedLine | undefined => {
    const [name, rest] =
      (mark === '' || mark === '>') && how === undefined ? (splitLine(typed) ?? []) : []
    const found = name && rest ? search(name, 'actions', 1).shown[0] : undefined
    return found?.offer && rest ? lineOf(found.offer, rest, now) : undefined
  }, [search, typed, mark, how, now])
  const [refused, setRefused] = useState('')
  useEffect(() => setRefused(''), [typed])
  const own: {
    id: string
    title: ReactNode
    more: ReactNode
    kind: Text
    danger?: boolean
    off?: boolean
    does: () => void
  }[] = [
    ...(line
      ? [
          {
            id: 'line',
            title: titleIn(line.offer.action, now),
            more: refused || line.fault || meaningOf(line, now),
            kind: headings.line,
            danger: line.offer.action.danger === true,
            off: Boolean(refused || line.fault),
            does: () => {
              if (line.fault) return
              remember(desk, line.offer.action.id)
              // What is done to several rows is seen first.
              if (line.offer.rows.length > 1 && line.offer.action.takes === 'rows') {
                close()
                void desk.review(line.offer.action, line.offer.rows, line.answers)
                return
              }
              void desk.attempt(line.offer.action, line.offer.rows, line.answers).then(done => {
                if (done === true) close()
                else
                  setRefused(
                    Object.values(done.fields ?? {})[0] ??
                      done.message ??
                      say(['没有完成，请重试', 'Not done, please retry']),
                  )
              })
            },
          },
        ]
      : []),
    ...(sum
      ? [
          {
            id: 'sum',
            title: `${sum.exact ? '' : '≈ '}¥${yuan(sum.cents)}`,
            more: say(['{n} 分；回车复制金额', '{n} cents; Enter copies the amount'], {
              n: sum.cents,
            }),
            kind: headings.sum,
            does: () => {
              close()
              void navigator.clipboard.writeText((sum.cents / 100).toFixed(2)).then(
                () => toast(say(['金额已复制', 'Amount copied']), 'success'),
                () => toast(say(['无法访问剪贴板', 'No access to the clipboard']), 'warning'),
              )
            },
          },
        ]
      : []),
    ...(address === undefined
      ? []
      : [
          {
            id: 'address',
            title: titleIn(pageAt(pathOf(address))!, now),
            more: address,
            kind: headings.address,
            does: () => {
              close()
              desk.open(address)
            },
          },
        ]),
  ]
  // A question has its article first, unless a page or an action is called by just these words;
  // below what is meant most likely otherwise, where who asks sees it at once.
  const isAnswered =
    answers[0]?.of === 'article' && !(hits.shown[0] && calledBy(hits.shown[0], typed))
  const firstOfQuestion = isAnswered ? 0 : 1
  const cut = Math.min(hits.shown.length, how === undefined ? 5 : firstOfQuestion)
  const begin =
    own[0]?.id ?? (cut === 0 && answers[0] ? `answer ${answers[0].id}` : (hits.shown[0]?.id ?? ''))
  // Answers come late: they must not take the choice from where the person has moved it meanwhile.
  const last = useRef({ hits, begin })
  useEffect(() => {
    const before = last.current
    last.current = { hits, begin }
    setChosen(now => (before.hits !== hits || now === before.begin || now === '' ? begin : now))
  }, [hits, begin])
  // Records come late: they must not take the choice from where the person has moved it meanwhile.
  useEffect(() => {
    if (begin === '')
      setChosen(now => (records.some(({ id }) => id === now) ? now : (records[0]?.id ?? '')))
  }, [begin, records])

  const pick = (shown: Shown) => {
    // A person who asks how something is done is shown where, and does it there.
    const action = shown.offer?.action ?? (shown.elsewhere && actionById(shown.id))
    if (how !== undefined && action && !isGlobal(action)) {
      close()
      if (shown.elsewhere) desk.open(shown.elsewhere.path)
      pointAt(() => desk.workspace.focused, action.id)
      return
    }
    if (shown.offer?.why) {
      desk.perform(shown.offer)
      return
    }
    remember(desk, shown.id)
    if (
      shown.offer &&
      canStep(shown.offer) &&
      !desk.stage(desk.workspace.focused ?? '').performer(shown.offer.action.id)
    ) {
      setStepping(shown.offer)
      return
    }
    const finder = shown.page && asksRecord(shown.page) ? finderOf(shown.page) : undefined
    if (finder) {
      setNaming({ page: shown.page!, finder })
      return
    }
    close()
    if (shown.offer) desk.perform(shown.offer)
    else desk.visit((shown.page ?? shown.elsewhere)!.path)
  }
  const open = (record: Found) => {
    close()
    if (record.does) record.does()
    else desk.open(record.address)
  }
  const begun = useRef(entered)
  useEffect(() => {
    if (!begun.current) return
    begun.current = false
    if (own[0]) own[0].does()
    else if (hits.shown[0]) pick(hits.shown[0])
  })
  // The letters of a composition are listed as they are typed; its keys belong to the input method.
  const onKeyDown = (event: KeyboardEvent) => {
    if (
      event.key === 'Escape' ||
      ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
    ) {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Backspace' && typed === '') {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab') event.preventDefault()
    else if (isPlainArrow(event)) {
      event.preventDefault()
      const next = entryBeside(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
      next?.scrollIntoView({ block: 'nearest' })
      setChosen(now => next?.getAttribute('data-value') ?? now)
    }
  }
  // What Enter would do, where that is more than a row or is money.
  const pointed =
    chosen === 'line' ? line?.offer : hits.shown.find(({ id }) => id === chosen)?.offer
  const dry =
    pointed &&
    !pointed.why &&
    pointed.action.takes !== 'none' &&
    ((pointed.rows.length > 1 && pointed.action.takes === 'rows') ||
      pointed.action.tells?.(pointed.rows) !== undefined)
      ? pointed
      : undefined
  const missing = pointed && !desk.me.can(pointed.action.permit) ? pointed.action.permit : undefined
  const grantedBy = useGrantedBy(missing)
  const total = own.length + hits.shown.length + answers.length + records.length
  const hit = (shown: Shown, i: number) => {
    const placed = shown.page ? 'page' : 'elsewhere'
    const kind = shown.offer ? 'action' : placed
    const why = shown.offer?.why
    const danger = shown.offer?.action.danger
    const more = () => {
      if (how !== undefined && shown.offer && !isGlobal(shown.offer.action))
        return say(['在本页', 'On this page'])
      if (why) return say(why)
      if (shown.elsewhere) return titleIn(shown.elsewhere, now)
      return now === 'en' ? shown.title : shown.en
    }
    return (
      <Command.Item
        key={shown.id}
        value={shown.id}
        onSelect={() => pick(shown)}
        aria-posinset={own.length + i + 1 + (i < cut ? 0 : answers.length)}
        aria-setsize={total}
        ref={saysOff(Boolean(why) && how === undefined)}
        data-off={why && how === undefined ? true : undefined}
        data-danger={danger || undefined}
      >
        <span className="s-hit-title">
          {titleIn(shown, now)}
          {shown.offer && shown.offer.rows.length > 1 && shown.offer.action.takes === 'rows' && (
            <small>{say(['{n} 项', '{n} rows'], { n: shown.offer.rows.length })}</small>
          )}
        </span>
        <span className="s-hit-more">{more()}</span>
        <span className="s-hit-kind">
          {say(headings[how !== undefined && kind !== 'page' ? 'help' : kind])}
        </span>
        <span className="s-hit-keys">
          {shown.keys &&
            keyLabel(shown.keys)
              .split(' ')
              .map((key, at) => (
                <kbd key={at} className="m-key">
                  {key}
                </kbd>
              ))}
        </span>
      </Command.Item>
    )
  }
  if (naming) return <RecordStep {...naming} back={() => setNaming(null)} done={close} />
  if (stepping) return <Steps offer={stepping} back={() => setStepping(null)} done={close} />
  return (
    <Command
      shouldFilter={false}
      loop
      value={chosen}
      onValueChange={setChosen}
      label={say(['命令面板', 'Command palette'])}
      onKeyDown={onKeyDown}
    >
      <Command.Input
        autoFocus
        value={typed}
        onValueChange={setTyped}
        placeholder={say([
          '输入页面、操作或记录，支持拼音与首字母',
          'Page, action or record; pinyin and initials work too',
        ])}
      />
      <Command.List label={say(['结果', 'Results'])}>
        {own.map((one, i) => (
          <Command.Item
            key={one.id}
            value={one.id}
            onSelect={one.does}
            aria-posinset={i + 1}
            aria-setsize={total}
            ref={saysOff(Boolean(one.off))}
            data-off={one.off || undefined}
            data-danger={one.danger || undefined}
          >
            <span className="s-hit-title">{one.title}</span>
            <span className="s-hit-more">{one.more}</span>
            <span className="s-hit-kind">{say(one.kind)}</span>
            <span className="s-hit-keys" />
          </Command.Item>
        ))}
        {hits.shown.slice(0, cut).map(hit)}
        {answers.map((one, i) => (
          <Command.Item
            key={one.id}
            value={`answer ${one.id}`}
            onSelect={() => {
              close()
              openAnswer(desk, one.id)
            }}
            aria-posinset={own.length + cut + i + 1}
            aria-setsize={total}
          >
            <span className="s-hit-title">{say(one.title)}</span>
            <span className="s-hit-more">{now === 'en' ? one.title[0] : one.title[1]}</span>
            <span className="s-hit-kind">{say(headings[one.of])}</span>
            <span className="s-hit-keys" />
          </Command.Item>
        ))}
        {hits.shown.slice(cut).map((shown, i) => hit(shown, i + cut))}
        {records.map((record, i) => (
          <Command.Item
            key={record.id}
            value={record.id}
            onSelect={() => open(record)}
            aria-posinset={own.length + hits.shown.length + answers.length + i + 1}
            aria-setsize={total}
          >
            <span className="s-hit-title">{record.title}</span>
            <span className="s-hit-more">{record.more}</span>
            <span className="s-hit-kind">{say(record.read ?? headings.record)}</span>
            <span className="s-hit-keys" />
          </Command.Item>
        ))}
        {total === 0 && (
          <div className="s-hit-none" role="status">
            {say(
              [
                '没有找到“{words}”。换个说法，或按 Esc 返回',
                'Nothing for “{words}”. Try other words, or Esc',
              ],
              { words: typed },
            )}
          </div>
        )}
      </Command.List>
      {grantedBy !== '' && (
        <div className="s-palette-dry" role="status">
          {grantedBy}
        </div>
      )}
      {dry && (
        <div className="s-palette-dry" role="status">
          <DryRun action={dry.action} rows={dry.rows} />
        </div>
      )}
      <footer className="s-palette-foot">
        <span>
          <kbd className="m-key">↑↓</kbd>
          {say(['选择', 'Choose'])}
        </span>
        <span>
          <kbd className="m-key">↵</kbd>
          {say(['执行', 'Run'])}
        </span>
        <span>
          <kbd className="m-key">&gt;</kbd>
          {say(['只看操作', 'Actions only'])}
        </span>
        <span>
          <kbd className="m-key">/</kbd>
          {say(['只看页面', 'Pages only'])}
        </span>
        <span>
          <kbd className="m-key">#</kbd>
          {say(['单号', 'Records'])}
        </span>
        <span>
          <kbd className="m-key">@</kbd>
          {say(['人员', 'People'])}
        </span>
        <span>
          <kbd className="m-key">:</kbd>
          {say(['设置', 'Settings'])}
        </span>
        <span>
          <kbd className="m-key">=</kbd>
          {say(['计算', 'Sum'])}
        </span>
        <span>
          <kbd className="m-key">?</kbd>
          {say(['怎么做', 'How'])}
        </span>
        <span className="s-fill" />
        <span>
          <kbd className="m-key">Esc</kbd>
          {say(['关闭', 'Close'])}
        </span>
      </footer>
    </Command>
  )
}

import { useEffect, useMemo, type CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import type { Command } from '#commands/command.ts'
import { comma } from '#src/domain/text.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk, type Desk } from '../desk.ts'
import { actions, isGlobal, pages } from '../registry.ts'
import { useAppSelector } from '../store.ts'
import { keysFor } from './bound.ts'
import { Caps } from './sheet.tsx'

/** So many lines stand in a column of A4 laid across; of five columns some are headings. */
const PER_COLUMN = 46
const LINES = 5 * PER_COLUMN - 8
export type CardLine = { of: Command; keys: string }
const withKeys = (some: readonly Command[]): CardLine[] =>
  some.flatMap(of => {
    const keys = keysFor(of)
    return keys ? [{ of, keys }] : []
  })
/**
 * What a person of these rights presses, in four groups: the same key for the same thing is one
 * line, what stands on most pages comes first, and what finds no room is counted.
 */
export const cardLines = (
  me: Pick<Desk['me'], 'can'>,
  room = LINES,
): {
  lists: CardLine[]
  pages: CardLine[]
  workbench: CardLine[]
  doing: CardLine[]
  left: number
} => {
  const lists = withKeys(actions().filter(action => action.id.startsWith('list.')))
  const opening = withKeys(pages.filter(page => me.can(page.permit)))
  const workbench = withKeys(actions().filter(isGlobal))
  const doing = new Map<string, { line: CardLine; pages: number }>()
  for (const line of withKeys(
    actions().filter(
      action =>
        !isGlobal(action) &&
        !action.id.startsWith('list.') &&
        me.can(action.permit) &&
        me.can(action.at.permit),
    ),
  )) {
    const same = `${line.keys} ${line.of.title}`
    const before = doing.get(same)
    doing.set(same, { line: before?.line ?? line, pages: (before?.pages ?? 0) + 1 })
  }
  const sorted = [...doing.values()].sort((a, b) => b.pages - a.pages).map(({ line }) => line)
  const roomFor = (lines: readonly CardLine[], before: number): CardLine[] =>
    lines.slice(0, Math.max(0, room - before))
  const every = lists.length + workbench.length
  const opened = roomFor(opening, every)
  const done = roomFor(sorted, every + opened.length)
  return {
    lists,
    pages: opened,
    workbench,
    doing: done,
    left: opening.length + sorted.length - opened.length - done.length,
  }
}

/** The keys of one's role on one page of paper: printed as soon as it stands. */
export const KeyCard = ({ close }: { close: () => void }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const roles = useAppSelector(state => state.session.me?.roles)
  const lines = useMemo(() => cardLines(desk.me), [desk])
  const count =
    lines.lists.length + lines.pages.length + lines.workbench.length + lines.doing.length + 8
  useEffect(() => {
    addEventListener('afterprint', close)
    document.documentElement.classList.add('s-printing')
    const timer = setTimeout(() => window.print())
    return () => {
      clearTimeout(timer)
      removeEventListener('afterprint', close)
      document.documentElement.classList.remove('s-printing')
    }
  }, [close])
  const group = (title: string, some: readonly CardLine[], more?: string) =>
    some.length > 0 && (
      <section>
        <h2>{title}</h2>
        <dl>
          {some.map(({ of, keys }) => (
            <div key={keys + of.title}>
              <dt>{titleIn(of, now)}</dt>
              <dd>
                <Caps keys={keys} />
              </dd>
            </div>
          ))}
        </dl>
        {more && <p>{more}</p>}
      </section>
    )
  return createPortal(
    <article className="s-card" aria-label={say(['快捷键卡片', 'Shortcut card'])}>
      <h1>
        Mallet · {say(['快捷键', 'Shortcuts'])}
        <small>{roles?.map(role => role.name).join(say(comma))}</small>
      </h1>
      <div style={{ '--s-columns': Math.max(3, Math.ceil(count / PER_COLUMN)) } as CSSProperties}>
        {group(say(['列表', 'Lists']), lines.lists)}
        {group(
          say(['处理', 'Doing']),
          lines.doing,
          lines.left > 0
            ? say(
                ['另有 {n} 项，在页面上按 {keys} 查看', '{n} more: press {keys} on their pages'],
                { n: lines.left, keys: desk.keysOf('workbench.shortcuts') ?? '' },
              )
            : undefined,
        )}
        {group(say(['工作台', 'Workbench']), lines.workbench)}
        {group(say(['打开页面', 'Open a page']), lines.pages)}
      </div>
    </article>,
    document.body,
  )
}

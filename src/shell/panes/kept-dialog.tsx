import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  SegmentedControl,
  Switch,
  Tag,
} from '@blueprintjs/core'
import { Cross, Snowflake } from '@blueprintjs/icons'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { keptPages } from '#commands/shell.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { useSetting } from '#src/kit/memory.ts'
import { stepDown } from '#src/kit/steps.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { searchOf } from '../address.ts'
import { pageKey, useDesk } from '../desk.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { keeping, keptChoices } from './kept.ts'
import { usePaneTitle } from './shown.ts'
import { boxes, leaves, type PaneId } from './tree.ts'
import { workspace } from './workspace.ts'

/**
 * Every page that panes hold behind the one shown: alive or frozen; gone back to, or let go of. And
 * how much is kept.
 */
export const KeptDialog = ({ close }: { close: () => void }) => {
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const say = useSay()
  const now = useLang()
  const title = usePaneTitle()
  const [keep, setKeep] = useSetting(keeping)
  const { tree, byId, maximised } = useAppSelector(state => state.workspace)
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [, draw] = useState(0)
  useEffect(() => desk.kept.subscribe(() => draw(n => n + 1)), [desk])
  useReturnFocus()
  useEffect(() => {
    ;(box?.querySelector<HTMLElement>('.s-kept-open') ?? box)?.focus()
  }, [box])
  const seen = boxes(maximised ?? tree)
  const rows = leaves(tree).flatMap(pane => {
    const of = byId[pane]!
    const front = pageKey(of.at)
    const alive = desk.kept.of(pane)
    const stateBehind = (name: string) =>
      alive.includes(name) ? ('kept' as const) : ('frozen' as const)
    const behind = Object.entries(of.kept)
      .filter(([name]) => name !== front)
      .reverse()
    return [
      {
        pane,
        name: front,
        at: of.at,
        state: seen[pane] ? ('shown' as const) : stateBehind(front),
        front: true,
      },
      ...behind.map(([name, at]) => ({
        pane,
        name,
        at,
        state: stateBehind(name),
        front: false,
      })),
    ]
  })
  const count = (state: 'kept' | 'frozen') => rows.filter(row => row.state === state).length
  const words = {
    shown: say(['显示中', 'Shown']),
    kept: say(['已保留', 'Kept']),
    frozen: say(['已冻结', 'Frozen']),
  }
  const open = (pane: PaneId, name: string, front: boolean) => {
    close()
    dispatch(workspace.focused(pane))
    if (!front) desk.open(name, 'here', pane)
  }
  const free = (at: number) => {
    const row = rows[at]!
    if (row.front) return
    desk.free(row.pane, row.name)
    // The next one has the focus, so that several are let go of by one key.
    requestAnimationFrame(() => {
      const all = box?.querySelectorAll<HTMLElement>('.s-kept-open')
      all?.[Math.min(at, all.length - 1)]?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...box!.querySelectorAll<HTMLElement>('.s-kept-open')]
    const at = all.findIndex(one => one.closest('li')!.contains(document.activeElement))
    const by = stepDown(event)
    if (event.key === 'Delete' && at >= 0) free(at)
    else if (by) all[(at + by + all.length) % all.length]?.focus()
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={titleIn(keptPages, now)}
      style={{ width: 'min(640px, 94vw)' }}
      shouldReturnFocusOnClose
    >
      <DialogBody>
        <p className="m-muted s-kept-said">
          {say(
            [
              '{kept} 个页面在后台保持打开，{frozen} 个已冻结。冻结的页面不占内存，回来时恢复筛选、页码、选择与位置；有未保存内容的不会冻结。',
              '{kept} pages are kept alive, {frozen} are frozen. A frozen page takes no memory; its filters, page, selection and place come back with it. One with unsaved changes is never frozen.',
            ],
            { kept: count('kept'), frozen: count('frozen') },
          )}
        </p>
        <ul ref={setBox} className="s-layouts s-kept" tabIndex={-1} onKeyDown={onKeyDown}>
          {rows.map(({ pane, name, at, state, front }, i) => (
            <li key={`${pane} ${name}`} data-front={front || undefined}>
              <button type="button" className="s-kept-open" onClick={() => open(pane, name, front)}>
                <b>{title(at)}</b>
                <small>
                  {[...new URLSearchParams(searchOf(at))]
                    .map(([key, value]) => `${key}=${value}`)
                    .join(' ')}
                </small>
                <Tag minimal intent={state === 'frozen' ? 'primary' : 'none'}>
                  {state === 'frozen' && <Snowflake size={12} className="s-frozen" />}
                  {words[state]}
                </Tag>
              </button>
              <span className="s-kept-tools">
                {!front && (
                  <Button
                    size="small"
                    variant="minimal"
                    tabIndex={-1}
                    icon={<Cross />}
                    aria-label={say(['释放「{name}」', 'Let go of {name}'], { name: title(at) })}
                    title={`${say(['释放', 'Let go'])} Delete`}
                    onClick={() => free(i)}
                  />
                )}
              </span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter actions={<Button onClick={close}>{say(['关闭', 'Close'])}</Button>}>
        <span className="s-kept-settings">
          <span id="kept-most">{say(['最多保留', 'Keep at most'])}</span>
          <SegmentedControl
            size="small"
            aria-labelledby="kept-most"
            value={String(keep.most)}
            options={keptChoices.map(n => ({
              value: String(n),
              label: say(['{n} 个', '{n}'], { n }),
            }))}
            onValueChange={value => {
              setKeep(was => ({
                ...was,
                most: keptChoices.find(n => String(n) === value) ?? was.most,
              }))
              desk.kept.fit()
            }}
          />
          <Switch
            checked={keep.resume}
            onChange={event => {
              const resume = event.currentTarget.checked
              setKeep(was => ({ ...was, resume }))
            }}
            label={say(['新窗口从上次的布局开始', 'New windows begin with the last layout'])}
          />
        </span>
      </DialogFooter>
    </Dialog>
  )
}

import { Button } from '@blueprintjs/core'
import { CaretDown, Star } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useDispatch } from 'react-redux'
import { useLocation, useSearch } from 'wouter'
import type { Action } from '#commands/command.ts'
import {
  listDeleteView,
  listEditView,
  listKeepView,
  listPublishView,
  listSaveView,
  listViews,
} from '#commands/list.ts'
import { viewSearch, viewShares, type Look, type ViewShare } from '#src/areas/workbench/view.ts'
import { views as calls, type View } from '#src/contract/views.ts'
import { countText } from '#src/domain/count.ts'
import { colon } from '#src/domain/text.ts'
import { AskDialog } from './asking.tsx'
import { isLook } from './columns.tsx'
import { dispatchRead, dispatchWrite, useRead } from './data.ts'
import { usePaneState, useSetting } from './memory.ts'
import { Popover } from './popover.tsx'
import { refusedBy, type Refused } from './refused.ts'
import { Badge, Keys } from './show.tsx'
import { stepDown } from './steps.ts'
import { titleIn, useLang, useSay } from './text.ts'
import type { ListState } from './uselist.ts'
import { useAction, useWorkbench } from './workbench.ts'

export type ViewState = {
  /** The list's page. */
  page: string
  /** The views of this list that this person may open. */
  all: readonly View[]
  /**
   * The one that stands in the address, and whether filters or columns are no longer as it has
   * them.
   */
  view: View | undefined
  changed: boolean
  search: string
  open: (view: View | undefined) => void
  look: Look | null
  setLook: (look: Look | null) => void
}
const noViews: readonly View[] = []
/**
 * Which view a list shows, by its address, and how its columns stand: as the view has them until
 * they are changed here, without a view as this person's account has them.
 */
export const useView = (): ViewState => {
  const { pageAt, setting } = useWorkbench()
  const [at, navigate] = useLocation()
  const search = useSearch()
  const path = pageAt(at)?.path ?? at
  const known = useRead(calls.lst, {}).data
  const all = useMemo(() => known?.filter(one => one.page === path) ?? noViews, [known, path])
  const asked = new URLSearchParams(search).get('view')
  const view = all.find(one => String(one.id) === asked)
  const [account, setAccount] = useSetting<Look | null>(
    useMemo(() => setting<Look | null>(`list:${path}`.slice(0, 64), isLook, null), [setting, path]),
  )
  const [here, setHere] = usePaneState<{ view: number; look: Look | null } | undefined>(
    'look',
    undefined,
  )
  const own = view && here?.view === view.id ? here : undefined
  const look = own ? own.look : (view?.look ?? account)
  const open = (next: View | undefined, replace = false) => {
    setHere(undefined)
    navigate(
      `?${new URLSearchParams([...new URLSearchParams(next?.search ?? ''), ['view', String(next?.id ?? 0)]])}`,
      { replace },
    )
  }
  // A list that nothing was asked of begins with its default: one's own, that of one's role, that
  // of one's department.
  const begun = useRef(search !== '')
  useEffect(() => {
    if (begun.current || !known) return
    begun.current = true
    const first = (['mine', 'role', 'team'] satisfies ViewShare[]).flatMap(
      share =>
        all.find(one => one.is_default && one.share === share && (share !== 'mine' || one.mine)) ??
        [],
    )[0]
    if (first) open(first, true)
  })
  return {
    page: path,
    all,
    view,
    search,
    open,
    look,
    changed:
      view !== undefined &&
      (viewSearch(search) !== view.search ||
        (own !== undefined && JSON.stringify(own.look) !== JSON.stringify(view.look))),
    setLook: next => (view ? setHere({ view: view.id, look: next }) : setAccount(next)),
  }
}

/** How many rows a view finds now. */
const Count = ({ of, view }: { of: ListState<any>; view: View }) => {
  const { data } = useRead(of.call, { ...of.inputOf(view.search), page: 1, pageSize: 1 })
  return (
    <span className="m-num m-muted">
      {data === undefined ? ' ' : countText(data.total) + (data.capped ? '+' : '')}
    </span>
  )
}

/**
 * The views of a list: which one it shows, a menu of them with what each finds now, and what can be
 * done with them.
 */
export const Views = ({ of, at }: { of: ListState<any>; at: ViewState }) => {
  const say = useSay()
  const now = useLang()
  const dispatch = useDispatch() as never
  const { keysOf, ariaKeysOf, me, toast } = useWorkbench()
  const [shown, show] = useState(false)
  const [pointed, point] = useState(0)
  const [asking, ask] = useState<{ action: Action; rows: readonly View[] } | undefined>(undefined)
  const { all, view, changed } = at
  const mayChange =
    view !== undefined && (view.share === 'mine' ? view.mine : me.can(listPublishView.permit))
  const choices: (View | undefined)[] = [undefined, ...all]
  const pick = (next: View | undefined) => {
    show(false)
    at.open(next)
  }
  const openMenu = () => {
    point(
      Math.max(
        0,
        choices.findIndex(one => one?.id === view?.id),
      ),
    )
    show(true)
  }
  useAction(listViews, openMenu)
  useAction(listSaveView, () => ask({ action: listSaveView, rows: [] }))
  // Closed first, so that the question gives the focus back to where it was before the menu.
  const leave = () => flushSync(() => show(false))
  const wants = (action: Action) => () => {
    leave()
    if (view) ask({ action, rows: [view] })
  }
  const look = isLook(at.look) ? (at.look as View['look']) : null
  const send = async (
    answers: Record<string, unknown>,
    [one]: readonly View[],
  ): Promise<View | undefined> => {
    const { action } = asking!
    const { name, is_default, share, role } = answers as {
      name: string
      is_default: boolean
      share: ViewShare
      role?: number
    }
    const key = one && { id: one.id, version: one.version }
    switch (action) {
      case listSaveView:
        return dispatchWrite(
          dispatch,
          calls.save,
          { page: at.page, name, search: viewSearch(at.search), look, is_default },
          { quiet: true },
        )
      case listKeepView:
        return dispatchWrite(
          dispatch,
          calls.edit,
          { ...key!, search: viewSearch(at.search), look },
          { quiet: true },
        )
      case listEditView:
        return dispatchWrite(dispatch, calls.edit, { ...key!, name, is_default }, { quiet: true })
      case listPublishView:
        return dispatchWrite(
          dispatch,
          calls.publish,
          { ...key!, share, is_default, ...(share === 'role' && role ? { role_id: role } : {}) },
          { quiet: true },
        )
      default: {
        await dispatchWrite(dispatch, calls.del, key!, { quiet: true })
        return undefined
      }
    }
  }
  const submit = async (
    answers: Record<string, unknown>,
    rows: readonly View[],
  ): Promise<true | Refused> => {
    try {
      const done = await send(answers, rows)
      const fresh = await dispatchRead(dispatch, calls.lst, {}, true)
      toast(
        say(['{title}：已完成', '{title}: done'], { title: titleIn(asking!.action, now) }),
        'success',
      )
      ask(undefined)
      if (asking!.action === listSaveView || asking!.action === listKeepView || !done)
        at.open(fresh.find(one => one.id === done?.id))
      return true
    } catch (fault) {
      return refusedBy(fault, {
        as: { role_id: 'role' },
        newest: async () =>
          (await dispatchRead(dispatch, calls.lst, {}, true)).filter(one => one.id === rows[0]?.id),
      })
    }
  }
  const does: readonly (readonly [key: string, action: Action, run: () => void])[] = [
    [
      's',
      listSaveView,
      () => {
        leave()
        ask({ action: listSaveView, rows: [] })
      },
    ],
    ...(mayChange
      ? [
          ...(changed ? [['u', listKeepView, wants(listKeepView)] as const] : []),
          ['e', listEditView, wants(listEditView)] as const,
        ]
      : []),
    ...(view && me.can(listPublishView.permit) && (view.mine || mayChange)
      ? [['p', listPublishView, wants(listPublishView)] as const]
      : []),
    ...(mayChange ? [['d', listDeleteView, wants(listDeleteView)] as const] : []),
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
    const step = stepDown(event)
    const run = does.find(([key]) => key === event.key.toLowerCase())?.[2]
    if (step) point((pointed + step + choices.length) % choices.length)
    else if (event.key === 'Enter' && event.target === event.currentTarget) pick(choices[pointed])
    else if (digit !== undefined && Number(digit) < choices.length) pick(choices[Number(digit)])
    else if (run) run()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const title = say(['视图', 'Views'])
  return (
    <>
      <Popover
        isOpen={shown}
        show={next => (next ? openMenu() : show(false))}
        placement="bottom-end"
        content={
          <div className="m-views">
            <div
              role="listbox"
              tabIndex={0}
              aria-label={title}
              aria-activedescendant={`m-view-${choices[pointed]?.id ?? 0}`}
              ref={focusOnce}
              onKeyDown={onKeyDown}
            >
              {choices.map((one, i) => (
                <div
                  key={one?.id ?? 0}
                  id={`m-view-${one?.id ?? 0}`}
                  role="option"
                  aria-selected={one?.id === view?.id}
                  data-pointed={i === pointed || undefined}
                  onPointerMove={() => point(i)}
                  onClick={() => pick(one)}
                >
                  <Keys keys={i < 10 ? String(i) : undefined} />
                  <span className="m-ellipsis" title={one?.name}>
                    {one?.name ?? say(['不用视图', 'No view'])}
                  </span>
                  {one?.is_default ? (
                    <Star size={12} aria-label={say(['默认', 'Default'])} />
                  ) : (
                    <i />
                  )}
                  {one && one.share !== 'mine' ? (
                    <Badge title={say(['{who} 发布', 'Published by {who}'], { who: one.owner })}>
                      {one.audience || say(viewShares[one.share])}
                    </Badge>
                  ) : (
                    <i />
                  )}
                  {one ? <Count of={of} view={one} /> : <i />}
                </div>
              ))}
            </div>
            {all.length === 0 && (
              <p className="m-muted">
                {say([
                  '把常用的筛选、排序和列保存下来，按数字键打开。日期选“近 7 天”等会一直按当天计算。',
                  'Keep filters, sort and columns you use often; a digit opens them. “7 days” stays relative to the day.',
                ])}
              </p>
            )}
            <footer>
              {does.map(([key, action, run]) => (
                <Button
                  key={action.id}
                  size="small"
                  variant="minimal"
                  intent={action.danger ? 'danger' : 'none'}
                  onClick={run}
                >
                  {titleIn(action, now)}
                  <Keys keys={key.toUpperCase()} />
                </Button>
              ))}
            </footer>
          </div>
        }
      >
        <Button
          size="small"
          variant="minimal"
          className="m-view"
          endIcon={<CaretDown size={12} />}
          active={view !== undefined}
          aria-keyshortcuts={ariaKeysOf(listViews.id)}
          data-command={listViews.id}
          title={`${title}${keysOf(listViews.id) ? ` (${keysOf(listViews.id)})` : ''}`}
          aria-label={
            view
              ? `${title}${say(colon)}${view.name}${changed ? say(['（已改动）', ' (changed)']) : ''}`
              : title
          }
          text={
            <span className="m-ellipsis">
              {view ? `${view.name}${changed ? ' *' : ''}` : title}
            </span>
          }
        />
      </Popover>
      {view && mayChange && (
        <>
          <Does action={listEditView} by={wants(listEditView)} />
          <Does action={listDeleteView} by={wants(listDeleteView)} />
          {changed && <Does action={listKeepView} by={wants(listKeepView)} />}
        </>
      )}
      {view && me.can(listPublishView.permit) && (view.mine || mayChange) && (
        <Does action={listPublishView} by={wants(listPublishView)} />
      )}
      {asking && (
        <AskDialog
          action={asking.action}
          rows={asking.rows}
          submit={submit as never}
          cancel={() => ask(undefined)}
        />
      )}
    </>
  )
}
const focusOnce = (list: HTMLElement | null) => list?.focus()
/** An action that is there only while its view is. */
const Does = ({ action, by }: { action: Action; by: () => void }) => {
  useAction(action, by)
  return null
}

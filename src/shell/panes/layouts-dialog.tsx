import { Button, Dialog, DialogBody, Tag } from '@blueprintjs/core'
import { Edit, FloppyDisk, Trash } from '@blueprintjs/icons'
import { useEffect, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { publishLayout, recommendLayout } from '#commands/home.ts'
import * as shell from '#commands/shell.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { PressButton } from '#src/kit/pressable.tsx'
import { When } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { stepDown } from '#src/kit/steps.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { layouts as calls, type LayoutRow } from '#src/modules/workbench/contract.ts'
import { useDesk } from '../desk.ts'
import { workspaceOf } from './format.ts'
import { otherWindows } from './layout.ts'
import { useSaved } from './layouts-button.tsx'
import type { Layouts } from './layouts.ts'
import { usePaneTitle } from './shown.ts'
import { boxes, leaves } from './tree.ts'
import type { Workspace } from './workspace.ts'

/** A layout at a glance. */
const Sketch = ({ of }: { of: Workspace | undefined }) => (
  <svg className="s-sketch" viewBox="0 0 32 20" aria-hidden="true">
    {of &&
      Object.entries(boxes(of.tree)).map(([id, { left, top, width, height }]) => (
        <rect
          key={id}
          x={(left * 31) / 100 + 0.5}
          y={(top * 19) / 100 + 0.5}
          width={(width * 31) / 100}
          height={(height * 19) / 100}
          data-focused={id === of.focused || undefined}
        />
      ))}
  </svg>
)
const headings: Record<LayoutRow['kind'], Text> = {
  mine: ['我的', 'Mine'],
  team: ['团队', 'Team'],
  role: ['角色推荐', 'Recommended'],
}

/**
 * Mine, the team's and the recommended ones; what can be done with the one that stands; what other
 * windows had.
 */
export const LayoutsDialog = ({ layouts, close }: { layouts: Layouts; close: () => void }) => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const paneTitle = usePaneTitle()
  const read = useRead(calls.lst, {})
  const { saved, drift } = useSaved()
  const [others] = useState(() => otherWindows(desk.me.id))
  // It is state, as a dialog is drawn a turn later than what is in it.
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  useReturnFocus()
  const rows = read.data?.list
  // The one that stands, else the first: Enter opens it.
  useEffect(() => {
    ;(
      box?.querySelector<HTMLElement>('[aria-current]') ??
      box?.querySelector<HTMLElement>('.s-layout-open')
    )?.focus()
  }, [box, rows === undefined])
  const known = useMemo(
    () =>
      new Map(
        (rows ?? []).map(row => {
          const whole = workspaceOf(row.state)
          return [row.id, 'workspace' in whole ? whole.workspace : undefined]
        }),
      ),
    [rows],
  )
  const pagesOf = (whole: Workspace | undefined) =>
    whole
      ? leaves(whole.tree)
          .map(id => paneTitle(whole.byId[id]?.at))
          .join(say(comma))
      : say(['无法识别', 'Can not be read'])
  const then = (does: () => void) => () => {
    close()
    does()
  }
  const arrows = (event: KeyboardEvent) => {
    const by = stepDown(event)
    if (!by) return
    const all = [...box!.querySelectorAll<HTMLElement>('.s-layout-open')]
    const at = all.findIndex(one => one.closest('li')!.contains(document.activeElement))
    event.preventDefault()
    all[(at + by + all.length) % all.length]?.focus()
  }
  const does = (action: Action) => {
    const why = desk.offers().find(offer => offer.action === action)?.why
    return (
      <PressButton
        key={action.id}
        size="small"
        variant="outlined"
        why={why && say(why)}
        title={desk.keysOf(action.id) ?? ''}
        onClick={then(() => desk.perform({ action, rows: [] }))}
      >
        {titleIn(action, now)}
      </PressButton>
    )
  }
  const entry = ({
    key,
    whole,
    name,
    more,
    open,
    tools,
    isCurrent = false,
  }: {
    key: string | number
    whole: Workspace | undefined
    name: string
    more: ReactNode
    open: () => void
    tools?: ReactNode
    isCurrent?: boolean
  }) => (
    <li key={key}>
      <button
        type="button"
        className="s-layout-open"
        aria-current={isCurrent || undefined}
        onClick={then(open)}
      >
        <Sketch of={whole} />
        <b>{name}</b>
        <small title={pagesOf(whole)}>{pagesOf(whole)}</small>
        <span className="m-muted">{more}</span>
      </button>
      <span className="s-layout-tools">{tools}</span>
    </li>
  )
  const tool = (icon: React.JSX.Element, text: Text, name: string, run: () => void) => (
    <Button
      size="small"
      variant="minimal"
      icon={icon}
      aria-label={say([`${text[0]}「{name}」`, `${text[1]} {name}`], { name })}
      title={say(text)}
      onClick={then(run)}
    />
  )
  return (
    <Dialog
      isOpen
      onClose={close}
      title={titleIn(shell.layoutList, now)}
      style={{ width: 'min(760px, 94vw)' }}
      shouldReturnFocusOnClose
    >
      <DialogBody>
        <div className="s-layout-does" role="toolbar" aria-label={say(['当前布局', 'This layout'])}>
          {saved && (
            <span className="s-layout-now">
              <b>{saved.name}</b>
              {drift && (
                <Tag minimal intent="warning">
                  {say(['有调整', 'Changed'])}
                </Tag>
              )}
            </span>
          )}
          {saved?.may_change && drift && does(shell.saveLayout)}
          {does(shell.saveLayoutAs)}
          {saved && drift && does(shell.revertLayout)}
          {does(shell.copyLayoutLink)}
          {does(publishLayout)}
          {does(recommendLayout)}
        </div>
        <div ref={setBox} className="s-layouts" onKeyDown={arrows}>
          {!rows && read.error && <Failed error={read.error} retry={read.refetch} />}
          {!rows && !read.error && <Loading lines={4} />}
          {rows && (
            <>
              {(['mine', 'team', 'role'] as const).map(kind => {
                const of = rows.filter(row => row.kind === kind)
                if (of.length === 0 && kind !== 'mine') return null
                return (
                  <section key={kind} aria-label={say(headings[kind])}>
                    <h3>{say(headings[kind])}</h3>
                    {of.length === 0 && (
                      <p className="m-muted">
                        {say([
                          '还没有保存过布局。摆好窗格后用“另存布局”保存，下次一步打开。',
                          'None yet. Arrange your panes, then save them under a name.',
                        ])}
                      </p>
                    )}
                    <ul>
                      {of.map(row =>
                        entry({
                          key: row.id,
                          whole: known.get(row.id),
                          name: row.name,
                          more: (
                            <>
                              {row.for_name && <Tag minimal>{row.for_name}</Tag>}
                              {saved?.id === row.id && row.version > saved.version && (
                                <Tag minimal intent="primary">
                                  {say(['已更新', 'Newer'])}
                                </Tag>
                              )}
                              {kind !== 'mine' && `${row.by_name} · `}
                              <When at={row.updated_at} />
                            </>
                          ),
                          open: () => layouts.open(row),
                          tools: row.may_change && (
                            <>
                              {tool(
                                <FloppyDisk />,
                                ['用当前布局覆盖', 'Overwrite with what stands'],
                                row.name,
                                () => void layouts.overwrite(row),
                              )}
                              {tool(<Edit />, ['重命名', 'Rename'], row.name, () =>
                                layouts.rename(row),
                              )}
                              {tool(<Trash />, ['删除', 'Delete'], row.name, () =>
                                layouts.remove(row),
                              )}
                            </>
                          ),
                          isCurrent: saved?.id === row.id,
                        }),
                      )}
                    </ul>
                  </section>
                )
              })}
              {others.length > 0 && (
                <section aria-label={say(['其他窗口', 'Other windows'])}>
                  <h3>{say(['其他窗口最近的布局', 'What other windows had'])}</h3>
                  <ul>
                    {others.map(({ at, workspace: whole }) =>
                      entry({
                        key: `other ${at}`,
                        whole,
                        name:
                          whole.saved?.name ??
                          say(['{n} 个窗格', '{n} panes'], { n: leaves(whole.tree).length }),
                        more: <When at={Math.min(unixNow(), Math.floor(at / 1000))} />,
                        open: () =>
                          layouts.lay(
                            whole,
                            ['已打开另一窗口的布局', 'Opened the layout of another window'],
                            {},
                          ),
                      }),
                    )}
                  </ul>
                </section>
              )}
            </>
          )}
        </div>
      </DialogBody>
    </Dialog>
  )
}

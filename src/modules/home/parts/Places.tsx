import { useMemo } from 'react'
import { Link } from 'wouter'
import * as commands from '#commands/home.ts'
import { useRead } from '#src/kit/data.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { usePane, useWorkbench } from '#src/kit/workbench.ts'
import { session } from '#src/modules/session/contract.ts'
import { Panel } from './Panel.tsx'

/**
 * Pages within reach: those pinned, and those this person was on last. Only what may still be
 * opened.
 */
export const Places = () => {
  const say = useSay()
  const now = useLang()
  const { me, pageAt, recent, keysOf } = useWorkbench()
  const pane = usePane()
  const mine = useRead(session.me, {})
  const known = (paths: readonly string[]) =>
    paths.flatMap(path => {
      const page = pageAt(path)
      return page && me.can(page.permit) ? [{ path, page }] : []
    })
  const pinned = known(mine.data?.settings.pinned_paths ?? [])
  const lately = useMemo(() => recent(), [pane.visible, recent])
  const others = known(lately.filter(path => !pinned.some(one => one.path === path)))
  const list = (title: string, all: typeof pinned) =>
    all.length > 0 && (
      <Panel title={title}>
        <ul className="h-pages">
          {all.map(({ path, page }) => (
            <li key={path}>
              <Link href={path}>{titleIn(page, now)}</Link>
            </li>
          ))}
        </ul>
      </Panel>
    )
  return (
    <>
      {list(say(['固定的页面', 'Pinned']), pinned)}
      {list(say(['最近打开', 'Recent']), others)}
      {mine.data && pinned.length === 0 && (
        <p className="h-hint m-muted">
          {say(['在任一页面按', 'On any page,'])} <Keys keys={keysOf(commands.pinPage.id)} />{' '}
          {say(['可把它固定在这里。', 'pins it here.'])}
        </p>
      )}
    </>
  )
}

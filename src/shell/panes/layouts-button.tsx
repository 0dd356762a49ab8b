import { Button } from '@blueprintjs/core'
import { LayoutGrid } from '@blueprintjs/icons'
import { useMemo } from 'react'
import * as shell from '#commands/shell.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { useAppSelector } from '../store.ts'
import { isDrifted } from './layouts.ts'
import type { Workspace } from './workspace.ts'

/**
 * What the drift depends on, as one text: a page's scroll and focus change the store far more
 * often.
 */
const signOf = ({ tree, byId }: Workspace) =>
  JSON.stringify([tree, Object.values(byId).map(({ at, channel }) => [at, channel])])
/** The saved layout that stands, and whether what stands has drifted from it. */
export const useSaved = () => {
  const desk = useDesk()
  const saved = useAppSelector(state => state.workspace.saved)
  const sign = useAppSelector(state => (state.workspace.saved ? signOf(state.workspace) : ''))
  const drift = useMemo(
    () => saved !== undefined && isDrifted(desk.workspace, saved),
    [desk, saved, sign],
  )
  return { saved, drift }
}

/** Opens the list of layouts; names the one that stands, with a mark where it has drifted. */
export const LayoutsButton = () => {
  const desk = useDesk()
  const say = useSay()
  const now = useLang()
  const { saved, drift } = useSaved()
  const title = `${titleIn(shell.layoutList, now)} ${desk.keysOf(shell.layoutList.id) ?? ''}`.trim()
  return (
    <Button
      variant="minimal"
      size="small"
      icon={<LayoutGrid />}
      className="s-layout-button"
      onClick={() => desk.perform({ action: shell.layoutList, rows: [] })}
      text={saved?.name}
      endIcon={drift ? <span className="s-drift" /> : undefined}
      aria-label={
        saved
          ? say(
              drift
                ? ['布局：{name}，有调整', 'Layout: {name}, changed']
                : ['布局：{name}', 'Layout: {name}'],
              { name: saved.name },
            )
          : titleIn(shell.layoutList, now)
      }
      title={
        drift
          ? say(
              [
                '与已保存的布局不同：{save} 保存，{revert} 还原',
                'Not as it was saved: {save} saves, {revert} goes back',
              ],
              {
                save: desk.keysOf(shell.saveLayout.id) ?? '',
                revert: desk.keysOf(shell.revertLayout.id) ?? '',
              },
            )
          : title
      }
    />
  )
}

import { Cross } from '@blueprintjs/icons'
import { memo, useCallback } from 'react'
import {
  Mosaic,
  MosaicWindow,
  type MosaicChangeMeta,
  type MosaicPath,
} from 'react-mosaic-component'
import 'react-mosaic-component/react-mosaic-component.css'
import { shallowEqual } from 'react-redux'
import { useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { FrozenMark } from './kept-dialog.tsx'
import { PaneHeader, PaneTools } from './pane-header.tsx'
import { usePaneTitle } from './shown.ts'
import type { PaneId, Tree } from './tree.ts'
import { groupOf, workspace } from './workspace.ts'

/** The tabs of a group stand where a lone pane has its header. */
const TabBar = ({ tabs, active }: { tabs: readonly PaneId[]; active: PaneId }) => {
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const say = useSay()
  const title = usePaneTitle()
  const ats = useAppSelector(state => tabs.map(id => state.workspace.byId[id]?.at), shallowEqual)
  const focused = useAppSelector(
    ({ workspace: { focused: at } }) => at !== null && tabs.includes(at),
  )
  const maximised = useAppSelector(state => state.workspace.maximised === active)
  const step = (by: number) => {
    const next = tabs[(tabs.indexOf(active) + by + tabs.length) % tabs.length]
    if (next) dispatch(workspace.focused(next))
  }
  return (
    <div className="s-tabs" data-focused={focused || undefined}>
      <div
        role="tablist"
        className="s-tablist"
        onKeyDown={event => {
          if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
            event.preventDefault()
            step(event.key === 'ArrowRight' ? 1 : -1)
          }
        }}
      >
        {tabs.map((id, i) => (
          <div
            key={id}
            className="s-tab"
            data-active={id === active || undefined}
            onAuxClick={event => {
              if (event.button === 1) desk.close(id)
            }}
          >
            <FrozenMark pane={id} />
            <button
              type="button"
              role="tab"
              aria-selected={id === active}
              tabIndex={id === active ? 0 : -1}
              onClick={() => dispatch(workspace.focused(id))}
            >
              {title(ats[i])}
            </button>
            <button
              type="button"
              className="s-tab-close"
              tabIndex={-1}
              aria-label={say(['关闭 {name}', 'Close {name}'], { name: title(ats[i]) })}
              onClick={() => desk.close(id)}
            >
              <Cross size={12} />
            </button>
          </div>
        ))}
      </div>
      <PaneTools pane={active} maximised={maximised} />
    </div>
  )
}

/** The handle that mosaic drags a pane by. In a group the tabs stand in its place. */
const Grip = ({ pane }: { pane: PaneId }) => {
  const tabbed = useAppSelector(
    ({ workspace: { tree, maximised } }) =>
      maximised === null && tree !== null && groupOf(tree, pane) !== undefined,
  )
  return tabbed ? null : <PaneHeader pane={pane} />
}

/**
 * The frames of several panes, drawn by mosaic, which takes their drags. Loaded when there is more
 * than one pane.
 */
export const Frames = memo(({ shown }: { shown: Tree | null }) => {
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const arrange = useCallback(
    (next: Tree | null, meta?: MosaicChangeMeta<PaneId>) => {
      if (desk.workspace.maximised === null)
        dispatch(
          workspace.arranged({
            tree: next,
            done: meta?.type !== 'drag-start' && meta?.type !== 'drag-cancel',
          }),
        )
    },
    [desk, dispatch],
  )
  const renderTile = useCallback(
    (id: PaneId, path: MosaicPath) => (
      <MosaicWindow<PaneId>
        key={id}
        path={path}
        title={id}
        renderToolbar={() => (
          <div className="s-grip">
            <Grip pane={id} />
          </div>
        )}
        renderPreview={() => <div className="mosaic-preview" />}
      >
        <span />
      </MosaicWindow>
    ),
    [],
  )
  const renderTabToolbar = useCallback(
    ({ tabs, activeTabIndex }: { tabs: PaneId[]; activeTabIndex: number }) => (
      <TabBar tabs={tabs} active={tabs[activeTabIndex]!} />
    ),
    [],
  )
  return (
    <Mosaic<PaneId>
      value={shown}
      onChange={arrange}
      renderTile={renderTile}
      renderTabToolbar={renderTabToolbar}
      resize="DISABLED"
      className="s-mosaic"
      blueprintNamespace="bp6"
    />
  )
})

import { memo, useCallback } from 'react'
import {
  Mosaic,
  MosaicWindow,
  type MosaicChangeMeta,
  type MosaicPath,
} from 'react-mosaic-component'
import 'react-mosaic-component/react-mosaic-component.css'
import { useDesk } from '../desk.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { PaneHeader } from './pane-header.tsx'
import { TabBar } from './tab-bar.tsx'
import type { PaneId, Tree } from './tree.ts'
import { groupOf, workspace } from './workspace.ts'

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

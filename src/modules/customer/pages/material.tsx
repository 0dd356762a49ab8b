import { useState } from 'react'
import { materialActions as actions } from '#commands/customer/material.ts'
import { materialKinds, materialStates, mediaStates } from '#src/areas/wecomMaterial/material.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { customerMaterials as calls, type MaterialPreview } from '../contract/material.ts'
import { MaterialDetail } from '../parts/MaterialDetail.tsx'
import { materialColumns, MaterialTile } from '../parts/materialLooks.tsx'
import { MaterialPhone } from '../parts/MaterialPhone.tsx'

/** The texts, pictures, links, cards and files that messages to customers carry. */
export default function Materials() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs, told } = useStateTabs(list, calls.lst, materialStates)
  const [seen, setSeen] = useState<MaterialPreview | undefined>(undefined)
  const [tiles, setTiles] = usePaneState('tiles', false)
  useAction(actions.tiles, () => setTiles(!tiles))
  useExport(actions.export, calls.export, { list })
  useResult(actions.preview, of => setSeen(of))
  useResult(actions.refreshMedia, () => {
    toast(
      say(['正在上传到企微，右侧显示结果', 'Uploading to WeCom; the result shows on the right']),
      'success',
    )
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['企微素材库', 'Material library'])}
          columns={materialColumns}
          actions={Object.values(actions)}
          tabs={tabs}
          tile={tiles ? row => <MaterialTile row={row} /> : undefined}
          filters={
            <>
              <Keyword of={list} placeholder={say(['名称或编号', 'Name or ID'])} />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={materialKinds} />
              <Choice
                of={list}
                by="category"
                label={say(['分类', 'Category'])}
                options={(told?.categories ?? []).map(one => ({ value: one, label: one }))}
              />
              <Choice
                of={list}
                by="media"
                label={say(['媒体凭证', 'File in WeCom'])}
                words={mediaStates}
              />
              <Toggle of={list} by="used" label={say(['使用中', 'Used'])} />
              <Toggle of={list} by="over" label={say(['已过有效期', 'Expired'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个素材', 'Choose a material'])}>
          {row => <MaterialDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {seen && <MaterialPhone of={seen} close={() => setSeen(undefined)} />}
    </>
  )
}

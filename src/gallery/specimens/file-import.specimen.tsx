import { importCalls } from '#src/contract/importing.ts'
import { callsOf } from '#src/contract/record.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { add } from '../actions.ts'
import type { Specimen } from '../specimen.ts'

const calls = importCalls(callsOf('gallery/import', { touches: [], rows: 'store' }), 'store', {
  title: ['导入', 'Import'],
  touches: [],
})

export const specimen: Specimen = {
  part: 'file-import',
  title: ['导入文件', 'A file brought in'],
  states: [
    {
      name: ['还没有文件', 'No file yet'],
      layer: true,
      draw: close => (
        <FileImport
          action={add}
          calls={calls}
          hint={['每行新增一家门店的草稿。', 'Each line makes a draft of a store.']}
          close={close}
        />
      ),
    },
  ],
}

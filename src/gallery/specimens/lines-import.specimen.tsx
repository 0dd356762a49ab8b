import { LinesImport } from '#src/kit/lines-import.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'lines-import',
  title: ['导入多行', 'Lines brought in'],
  states: [
    {
      name: ['还没有行', 'No lines yet'],
      layer: true,
      draw: close => (
        <LinesImport<{ written: number; rows: { line: number; name: string; faults: string[] }[] }>
          title="批量导入品牌"
          hint="每行：品牌名称、分类。"
          example={'品牌,分类\n炉边,美食 / 火锅'}
          count={text => text.split('\n').filter(Boolean).length}
          head={[['品牌', 'Brand']]}
          cells={row => [row.name]}
          send={() =>
            Promise.resolve({
              written: 0,
              rows: [{ line: 1, name: '炉边', faults: ['分类不存在'] }],
            })
          }
          sending={false}
          done={close}
          close={close}
        />
      ),
    },
  ],
}

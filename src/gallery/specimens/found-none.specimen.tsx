import { FoundNone } from '#src/kit/found-none.tsx'
import type { Specimen } from '../specimen.ts'

const busy = { status: 503, message: '系统繁忙，请稍后重试' }
export const specimen: Specimen = {
  part: 'found-none',
  title: ['没有可选项', 'Nothing to choose'],
  states: [
    { name: ['查找中', 'Looking'], draw: () => <FoundNone pending /> },
    { name: ['没有匹配', 'No match'], draw: () => <FoundNone pending={false} /> },
    {
      name: ['读取失败', 'Failed'],
      draw: () => <FoundNone pending={false} failed={{ error: busy, retry: () => {} }} />,
    },
  ],
}

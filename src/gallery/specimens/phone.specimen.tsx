import { Phone } from '#src/kit/phone.tsx'
import type { Specimen } from '../specimen.ts'

const lines = Array.from({ length: 30 }, (_, at) => <p key={at}>第 {at + 1} 行</p>)
export const specimen: Specimen = {
  part: 'phone',
  title: ['手机上看到的页面', 'A page on a telephone'],
  states: [
    {
      name: ['浅色', 'Light'],
      draw: () => (
        <Phone label="手机预览" title="云汇天地">
          <p>周末美食节</p>
          <p className="m-muted">预览页不能下单</p>
        </Phone>
      ),
    },
    {
      name: ['深色', 'Dark'],
      draw: () => (
        <Phone dark label="手机预览 · 深色">
          <p>周末美食节</p>
          <p className="m-muted">预览页不能下单</p>
        </Phone>
      ),
    },
    {
      name: ['很长', 'Long'],
      draw: () => (
        <Phone long label="协议的手机预览" title="用户协议">
          {lines}
        </Phone>
      ),
    },
  ],
}

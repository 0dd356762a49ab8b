import { Region } from '#src/kit/region.tsx'
import { Kept } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

const field = (name: string, first: string | undefined, invalid = false) => (
  <Kept<string | undefined> first={first}>
    {(value, change) => (
      <Region id={name} label="省市区" value={value} change={change} invalid={invalid} />
    )}
  </Kept>
)
export const specimen: Specimen = {
  part: 'region',
  title: ['省市区', 'Province, city, district'],
  states: [
    { name: ['未选择', 'None chosen'], draw: () => field('region-none', undefined) },
    { name: ['已选择', 'One chosen'], draw: () => field('region-one', '浙江省杭州市西湖区') },
    {
      name: ['有误，长名称', 'At fault, a long name'],
      draw: () => field('region-fault', '云南省临沧市双江拉祜族佤族布朗族傣族自治县', true),
    },
  ],
}

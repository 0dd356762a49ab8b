import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  feature_switch: {
    title: ['功能开关', 'Feature switch'],
    fields: {
      status: { title: ['开关', 'Switch'], kind: 'enum', options: onOff },
      percent: { title: ['放量（%）', 'Percent'], kind: 'number' },
      min_version: { title: ['最低版本', 'Min. version'], none: ['不限', 'Any'] },
      testers: { title: ['体验成员', 'Testers'], kind: 'names', of: 'member' },
      city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
      mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
    },
  },
}

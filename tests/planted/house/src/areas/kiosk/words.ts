import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  kiosk: {
    title: ['自助机', 'Kiosk'],
    fields: { status: { title: ['运行', 'Running'], kind: 'enum', options: onOff } },
  },
}

import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  bd_month: {
    title: ['BD 月度业绩', 'BD month'],
    fields: {
      state: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { locked: ['已锁定', 'Locked'], open: ['未锁定', 'Open'] },
      },
      net_cents: { title: ['净额', 'Net'], kind: 'money', guard: 'stat.gmv_cents' },
    },
  },
}

import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const all = ['film.settings.*', 'film.datastat.*']
export const grants: DemoGrants = {
  ops_director: all,
  city_manager: [
    ...['view', 'save', 'addOverride', 'removeOverride', 'blockCinema', 'unblockCinema'].map(
      verb => `film.settings.${verb}`,
    ),
    ...['pauseSale', 'resumeSale', 'testProvider'].map(verb => `film.settings.${verb}`),
    'film.datastat.*',
  ],
  finance: ['film.settings.view', 'film.datastat.*'],
  read_only: ['film.settings.view', 'film.datastat.view'],
}

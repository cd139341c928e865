/** The server's answers, as the description of its interface declares them. Only types: the page holds no schemas. */

export type {
  Alert,
  FoundPlace,
  Isochrone as IsochroneFeature,
  Isochrones,
  Itinerary,
  Leg,
  Money,
  Place,
  PlanAnswer,
  PlanError,
  RentalStation,
  RouterInfo,
  ServiceDays as Calendar,
  Step,
  StopShort as Stop,
} from '../../serialization/answers/index.js';

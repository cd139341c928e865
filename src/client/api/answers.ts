/** The server's answers, as the description of its interface declares them: types only, without the schemas. */

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

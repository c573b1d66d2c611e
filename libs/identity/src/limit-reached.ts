import { ApiError } from '#http/api-error';

/** `409 conflict` where one of the service's limits is reached. */
export function limitReached(message: string, limit: number): ApiError {
  return new ApiError('conflict', { reason: 'limit_reached', limit }, { message });
}

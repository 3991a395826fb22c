<?php

declare(strict_types=1);

namespace PaymentGateway;

/**
 * It is unknown whether the payment happened. Never send it under a new id. Send the same request again later, or ask
 * for its status.
 */
final class OutcomeUnknown extends \RuntimeException
{
}

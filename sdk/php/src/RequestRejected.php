<?php

declare(strict_types=1);

namespace PaymentGateway;

/** The gateway rejected this request, which had no effect. The message is its reason, such as `Insufficient funds`. */
final class RequestRejected extends \RuntimeException
{
}
